//! Words that say nothing about a tool, or little.

use super::stem::stemmed;
use std::sync::LazyLock;

/// Whether a word, folded to lower case, tells no tool from another.
pub(super) fn is_stop_word(word: &str) -> bool {
    word.len() <= MAX_BYTES && ENGLISH.binary_search(&word).is_ok() || CHINESE.contains(&word)
}

/// Whether a stem is of a word that requests for anything have, and so do the descriptions of
/// anything: it tells something only in a name.
pub(super) fn is_of_requests(stem: &str) -> bool {
    static STEMS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let mut stems: Vec<String> = OF_REQUESTS.iter().map(|word| stemmed(word)).collect();
        stems.sort();
        stems
    });
    STEMS
        .binary_search_by(|known| known.as_str().cmp(stem))
        .is_ok()
}

const MAX_BYTES: usize = 9;

#[rustfmt::skip]
const ENGLISH: &[&str] = &[
    "a", "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at",
    "be", "because", "been", "before", "being", "below", "between", "both", "but", "by", "can", "could",
    "d", "did", "do", "does", "doing", "don", "down", "during", "each", "etc", "few", "for", "from",
    "further", "had", "has", "have", "having", "he", "hello", "help", "her", "here", "hers", "hi", "him", "his", "how",
    "i", "if", "im", "in", "into", "is", "it", "its", "just", "know", "let", "ll", "m", "may", "me", "might", "more",
    "most", "must", "my", "need", "no", "nor", "not", "now", "of", "off", "ok", "on", "once", "one", "only", "or",
    "other", "our", "out", "over", "own", "please", "re", "s", "same", "shall", "she", "should", "so", "some",
    "such", "t", "than", "thank", "thanks", "that", "the", "their", "them", "then", "there", "these", "they",
    "this", "those", "through", "to", "too", "under", "until", "up", "us", "ve", "very", "want", "was", "we",
    "were", "what", "when", "where", "which", "while", "who", "whom", "why", "will", "with", "would", "you",
    "your", "yours",
];

const CHINESE: &[&str] = &[
    "的", "了", "我", "你", "请", "吗", "呢", "吧", "是", "在", "和", "与", "或", "及",
];

#[rustfmt::skip]
const OF_REQUESTS: &[&str] = &[
    "able", "answer", "ask", "assist", "available", "base", "based", "best", "better", "certain", "check",
    "come", "curious", "current", "currently", "detail", "different", "enjoy", "explain", "feel", "find",
    "get", "give", "go", "good", "great", "hear", "helpful", "idea", "include", "including", "info",
    "information", "interested", "keep", "kindly", "latest", "learn", "like", "list", "look", "looking",
    "love", "make", "many", "much", "needed", "new", "option", "people", "plan", "possible", "provide",
    "question", "read", "recent", "recommend", "relate", "related", "right", "search", "see", "send",
    "several", "share", "show", "specific", "start", "suggest", "take", "tell", "thing", "think", "today",
    "tool", "try", "understand", "use", "user", "using", "various", "wanted", "way", "wonder", "work",
];
