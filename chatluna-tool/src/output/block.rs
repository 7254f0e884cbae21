//! Parts as data: the content blocks of the Model Context Protocol.

use super::content::{Content, Link, Media};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// What stands before the name of a file that is at no address.
const ATTACHMENT: &str = "attachment:";

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block<'part> {
    Text {
        text: Cow<'part, str>,
    },
    Image(Blob<'part>),
    Audio(Blob<'part>),
    Resource {
        resource: Resource<'part>,
    },
    #[serde(rename_all = "camelCase")]
    ResourceLink {
        uri: Cow<'part, str>,
        name: Cow<'part, str>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<Cow<'part, str>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        description: Option<Cow<'part, str>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mime_type: Option<Cow<'part, str>>,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Blob<'part> {
    data: Cow<'part, str>,
    mime_type: Cow<'part, str>,
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    meta: Option<Meta<'part>>,
}

/// The protocol has no name for images and recordings.
#[derive(Serialize, Deserialize)]
struct Meta<'part> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<Cow<'part, str>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Resource<'part> {
    uri: Cow<'part, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mime_type: Option<Cow<'part, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<Cow<'part, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    blob: Option<Cow<'part, str>>,
}

impl<'part> From<&'part Content> for Block<'part> {
    fn from(part: &'part Content) -> Self {
        match part {
            Content::Text(text) => Self::Text {
                text: Cow::Borrowed(text),
            },
            Content::Image(media) => Self::Image(media.into()),
            Content::Audio(media) => Self::Audio(media.into()),
            Content::File(media) => Self::Resource {
                resource: media.into(),
            },
            Content::Link(link) => Self::ResourceLink {
                uri: link.uri().into(),
                name: link.name().unwrap_or(link.uri()).into(),
                title: link.title().map(Cow::Borrowed),
                description: link.description().map(Cow::Borrowed),
                mime_type: link.mime_type().map(Cow::Borrowed),
            },
        }
    }
}

impl<'part> From<&'part Media> for Blob<'part> {
    fn from(media: &'part Media) -> Self {
        let name = media.name().map(Cow::Borrowed);
        Self {
            data: encoded(media.bytes()).into(),
            mime_type: media.mime_type().into(),
            meta: name.is_some().then_some(Meta { name }),
        }
    }
}

impl<'part> From<&'part Media> for Resource<'part> {
    fn from(media: &'part Media) -> Self {
        let name = escaped(media.name().unwrap_or_default());
        Self {
            uri: format!("{ATTACHMENT}{name}").into(),
            mime_type: Some(media.mime_type().into()),
            text: None,
            blob: Some(encoded(media.bytes()).into()),
        }
    }
}

/// Bytes in base64, as every provider takes them.
pub(crate) fn encoded(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

fn decoded(data: &str) -> Result<Vec<u8>, String> {
    let broken = |error| format!("the bytes of a part are not in base64: {error}");
    STANDARD.decode(data).map_err(broken)
}

impl TryFrom<Block<'_>> for Content {
    type Error = String;

    fn try_from(block: Block<'_>) -> Result<Self, String> {
        Ok(match block {
            Block::Text { text } => Self::Text(text.into_owned().into()),
            Block::Image(blob) => Self::Image(blob.try_into()?),
            Block::Audio(blob) => Self::Audio(blob.try_into()?),
            Block::Resource { resource } => Self::File(resource.try_into()?),
            Block::ResourceLink {
                uri,
                name,
                title,
                description,
                mime_type,
            } => {
                let mut link = Link::new(&*uri);
                if name != uri {
                    link = link.with_name(name);
                }
                if let Some(title) = title {
                    link = link.with_title(title);
                }
                if let Some(description) = description {
                    link = link.with_description(description);
                }
                if let Some(mime_type) = mime_type {
                    link = link.with_mime_type(mime_type);
                }
                Self::Link(link)
            }
        })
    }
}

impl TryFrom<Blob<'_>> for Media {
    type Error = String;

    fn try_from(blob: Blob<'_>) -> Result<Self, String> {
        let media = Self::new(decoded(&blob.data)?, blob.mime_type.into_owned());
        let name = blob.meta.and_then(|meta| meta.name);
        Ok(named(media, name.as_deref()))
    }
}

impl TryFrom<Resource<'_>> for Media {
    type Error = String;

    fn try_from(resource: Resource<'_>) -> Result<Self, String> {
        let (bytes, usual) = match (resource.blob, resource.text) {
            (Some(blob), _) => (decoded(&blob)?, "application/octet-stream"),
            (None, Some(text)) => (text.into_owned().into_bytes(), "text/plain"),
            (None, None) => return Err("a resource has neither `blob` nor `text`".to_owned()),
        };
        let mime_type = resource.mime_type.map_or(usual.to_owned(), Cow::into_owned);
        let name = match resource.uri.strip_prefix(ATTACHMENT) {
            Some(name) => name,
            None => resource.uri.rsplit('/').next().unwrap_or_default(),
        };
        let name = Some(unescaped(name)).filter(|name| !name.is_empty());
        Ok(named(Self::new(bytes, mime_type), name.as_deref()))
    }
}

fn named(media: Media, name: Option<&str>) -> Media {
    match name {
        Some(name) => media.with_name(name),
        None => media,
    }
}

/// A name as the part of a URI: all but letters, digits and `-._~` as `%` and two digits.
fn escaped(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                escaped.push(byte.into());
            }
            byte => escaped += &format!("%{byte:02X}"),
        }
    }
    escaped
}

/// What [`escaped`] was given; what it did not make stays as it is.
fn unescaped(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, behind @ ..] = rest {
        let (byte, behind) = match (first, coded(behind)) {
            (b'%', Some(byte)) => (byte, &behind[2..]),
            (byte, _) => (*byte, behind),
        };
        bytes.push(byte);
        rest = behind;
    }
    String::from_utf8(bytes).unwrap_or_else(|_| uri.to_owned())
}

/// The byte that the first two digits are; nothing but digits, so no sign before them.
fn coded(text: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*text.get(at)?).to_digit(16);
    u8::try_from(16 * digit(0)? + digit(1)?).ok()
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Block::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let block = Block::deserialize(deserializer)?;
        Self::try_from(block).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::{escaped, unescaped};

    #[test]
    fn a_name_is_unescaped_by_two_digits_and_nothing_else() {
        for (escaped, name) in [
            ("a%20b%2fc%2Fd", "a b/c/d"),
            ("%+1%-1% 1%1", "%+1%-1% 1%1"),
            ("100%", "100%"),
            ("%zz%4", "%zz%4"),
            ("%ff", "%ff"),
        ] {
            assert_eq!(unescaped(escaped), name);
        }
        let name = "a b/\u{e4}%+1.pdf";
        assert_eq!(unescaped(&escaped(name)), name);
    }
}
