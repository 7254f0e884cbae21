//! Words that stand for each other: what English says in more than one way, and kinds of things.
//!
//! A tool is described once, in general words; who looks for it has a particular thing in mind: "will
//! it rain" is about weather. The lists are general English, short, and of no catalogue: they help
//! queries in English only, and tools that are described in it. The words of a trade, of a company or of
//! another language are not here; they belong into the `keywords` of the tools.

use super::stem::stemmed;
use std::collections::HashMap;
use std::sync::LazyLock;

/// How much a word counts that means the same, beside the one in the query.
const SAME: f32 = 0.3;

/// How much the word for the kind of a thing counts.
const KIND: f32 = 0.4;

type Related = HashMap<String, Vec<(String, f32)>>;

/// The stems that stand for a stem, and how well.
pub(super) fn related(stem: &str) -> &'static [(String, f32)] {
    static ALL: LazyLock<Related> = LazyLock::new(all);
    ALL.get(stem).map_or(&[], Vec::as_slice)
}

fn all() -> Related {
    let mut all = Related::new();
    for (kind, things) in KINDS {
        for thing in things.split(' ') {
            relate(&mut all, thing, kind, KIND);
        }
    }
    for group in SYNONYMS {
        for word in group.split(' ') {
            for other in group.split(' ') {
                relate(&mut all, word, other, SAME);
            }
        }
    }
    all
}

/// Two words are related once, in the way that is said first.
fn relate(all: &mut Related, word: &str, other: &str, weight: f32) {
    let (word, other) = (stemmed(word), stemmed(other));
    let known = all.entry(word.clone()).or_default();
    if word != other && known.iter().all(|(known, _)| *known != other) {
        known.push((other, weight));
    }
}

#[rustfmt::skip]
const SYNONYMS: &[&str] = &[
    "create make generate build",
    "add insert append",
    "delete remove erase",
    "update edit modify change",
    "get fetch retrieve obtain",
    "find search lookup locate discover",
    "send deliver",
    "buy purchase order shop",
    "calculate compute",
    "show display view",
    "start begin launch",
    "stop halt terminate",
    "fix repair",
    "reserve book",
    "rent lease",
    "job career employment occupation vacancy",
    "hire recruit",
    "house home property apartment",
    "lawyer attorney law legal",
    "doctor physician",
    "car vehicle automobile",
    "movie film cinema",
    "picture image photo photograph",
    "email mail",
    "phone telephone mobile smartphone",
    "document file",
    "folder directory",
    "website webpage site",
    "internet web online",
    "price cost fee",
    "cheap affordable discount",
    "money currency",
    "crypto cryptocurrency",
    "weather forecast",
    "trip travel journey tour",
    "flight airline",
    "hotel accommodation lodging",
    "city town",
    "road street",
    "food meal dish",
    "recipe cook",
    "restaurant dining",
    "diet nutrition",
    "song music",
    "chart graph plot diagram",
    "article paper publication",
    "summary summarize overview",
    "course class lesson tutorial",
    "teach education",
    "student pupil",
    "child kid",
    "meeting appointment",
    "calendar schedule agenda",
    "task todo",
    "note memo",
    "company business firm organization corporation",
    "product item goods",
    "shop store",
    "gift present",
    "customer client",
    "employee staff worker",
    "repository repo",
    "bug issue defect",
    "check verify validate",
    "database sql",
    "compare comparison",
    "large big",
    "fast quick speed",
    "maximum highest",
    "minimum lowest",
    "amount quantity",
    "sport game",
    "advice tip suggestion recommendation guidance",
    "suggest recommend",
    "review rating",
    "video clip",
    "sound audio",
    "talk chat conversation",
    "learn study",
    "write compose",
    "improve enhance optimize",
    "convert transform",
    "analyze analysis analytics",
    "illness disease",
    "medicine drug medication",
    "clothes clothing fashion outfit",
    "loan credit",
    "holiday vacation",
];

/// A kind, and things that are of it.
#[rustfmt::skip]
const KINDS: &[(&str, &str)] = &[
    ("weather", "rain snow wind storm temperature humidity sunny cloud heat climate forecast"),
    ("currency", "dollar euro yen pound rupee franc peso yuan"),
    ("cryptocurrency", "bitcoin ethereum blockchain"),
    ("finance", "stock share bond dividend investment invest budget loan mortgage bank portfolio cryptocurrency trading"),
    ("travel", "flight hotel vacation itinerary sightseeing tourist destination airport passport visa"),
    ("trip", "flight hotel vacation itinerary sightseeing destination"),
    ("transport", "bus train taxi metro subway ferry"),
    ("food", "breakfast lunch dinner snack pizza pasta fruit vegetable vegetarian vegan"),
    ("restaurant", "lunch dinner pizza sushi cafe"),
    ("recipe", "cook bake ingredient dish meal"),
    ("sport", "football soccer basketball baseball tennis golf hockey cricket rugby"),
    ("music", "song album singer band playlist concert lyric melody"),
    ("movie", "actor director cinema"),
    ("game", "chess puzzle poker quiz"),
    ("product", "laptop phone smartphone computer headphone camera shoe dress shirt jacket furniture appliance"),
    ("electronics", "laptop phone smartphone computer headphone camera"),
    ("clothing", "shirt dress jacket shoe trousers coat"),
    ("health", "symptom disease doctor hospital sleep pain"),
    ("fitness", "workout gym yoga exercise"),
    ("job", "salary resume interview career hire recruiter"),
    ("law", "contract court lawsuit legal lawyer attorney copyright"),
    ("property", "house apartment condo villa flat"),
    ("art", "painting sculpture museum"),
    ("code", "python javascript java html css"),
    ("repository", "github gitlab commit branch"),
    ("social", "twitter instagram facebook tweet"),
    ("video", "youtube"),
    ("animal", "dog cat horse bird"),
    ("plant", "flower tree vegetable"),
    ("news", "headline journalist"),
    ("map", "direction route distance"),
    ("location", "city country address"),
    ("device", "light lamp thermostat fridge"),
    ("school", "student teacher homework"),
    ("education", "school university degree student"),
    ("course", "lecture lesson curriculum class tutorial"),
    ("research", "paper thesis scientific scholar study"),
    ("language", "english french german spanish chinese japanese"),
    ("beauty", "makeup skincare hair"),
    ("family", "mother father wife husband son daughter"),
    ("vehicle", "car truck motorcycle bus"),
    ("insurance", "claim premium"),
    ("event", "concert festival wedding party conference"),
];

#[cfg(test)]
mod tests {
    use super::{KIND, SAME, related};

    fn weight(word: &str, other: &str) -> Option<f32> {
        let found = related(word).iter().find(|(known, _)| known == other);
        found.map(|(_, weight)| *weight)
    }

    #[test]
    fn synonyms_stand_for_each_other_and_kinds_for_their_things() {
        assert_eq!(weight("buy", "purchas"), Some(SAME));
        assert_eq!(weight("purchas", "buy"), Some(SAME));
        assert_eq!(weight("rain", "weath"), Some(KIND));
        assert_eq!(weight("weath", "rain"), None);
        assert_eq!(weight("rain", "rain"), None);
        assert!(related("zeppelin").is_empty());
    }
}
