//! The parts of a result: text, media, links.

use super::size::Size;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// One part of a result. Cheap to clone, but for text that was made at run time.
///
/// Each provider gets a part in its own form where it has one, and else a short description of it:
/// bytes never reach a model as text.
///
/// `Serialize` and `Deserialize` are those of a content block of the [Model Context
/// Protocol](https://modelcontextprotocol.io/specification/2025-06-18/server/tools#tool-result).
///
/// ```
/// use chatluna_tool::{Content, ToolOutput, tool};
///
/// /// Draws the sales of a year
/// #[tool(traits(effect = "read"))]
/// async fn chart(year: u16) -> ToolOutput {
///     let png = vec![0x89, b'P', b'N', b'G']; // drawn somewhere
///     ToolOutput::text(format!("The sales of {year}:"))
///         .with_part(Content::image(png, "image/png").with_name("sales.png"))
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// Text for the model.
    Text(Cow<'static, str>),
    /// An image.
    Image(Media),
    /// A recording.
    Audio(Media),
    /// Any other file: a document, an archive.
    File(Media),
    /// Where something can be found.
    Link(Link),
}

impl Content {
    /// Text for the model.
    pub fn text(text: impl Into<Cow<'static, str>>) -> Self {
        Self::Text(text.into())
    }

    /// An image and its MIME type: `image/png`.
    pub fn image(
        bytes: impl Into<Cow<'static, [u8]>>,
        mime_type: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::Image(Media::new(bytes, mime_type))
    }

    /// A recording and its MIME type: `audio/wav`.
    pub fn audio(
        bytes: impl Into<Cow<'static, [u8]>>,
        mime_type: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::Audio(Media::new(bytes, mime_type))
    }

    /// A file and its MIME type: `application/pdf`.
    pub fn file(
        bytes: impl Into<Cow<'static, [u8]>>,
        mime_type: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::File(Media::new(bytes, mime_type))
    }

    /// A link to something.
    pub fn link(uri: impl Into<String>) -> Self {
        Self::Link(Link::new(uri))
    }

    /// Names the part: `sales.png`. Text has no name, and stays as it is.
    #[must_use]
    pub fn with_name(self, name: impl Into<String>) -> Self {
        match self {
            Self::Text(text) => Self::Text(text),
            Self::Image(media) => Self::Image(media.with_name(name)),
            Self::Audio(media) => Self::Audio(media.with_name(name)),
            Self::File(media) => Self::File(media.with_name(name)),
            Self::Link(link) => Self::Link(link.with_name(name)),
        }
    }

    /// The text of a part that is text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What a model reads that gets text only: the text, or a description.
    pub(crate) fn to_text(&self) -> Cow<'_, str> {
        match self.as_text() {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(self.described("")),
        }
    }

    /// `[image image/png, 12 KiB, "sales.png"]`, and why there is nothing but that.
    pub(crate) fn described(&self, why: &str) -> String {
        let colon = if why.is_empty() { "" } else { ": " };
        match self {
            Self::Text(text) => text.to_string(),
            Self::Image(media) => format!("[image {media}{colon}{why}]"),
            Self::Audio(media) => format!("[audio {media}{colon}{why}]"),
            Self::File(media) => format!("[file {media}{colon}{why}]"),
            Self::Link(link) => format!("[link {link}]"),
        }
    }
}

impl<T: Into<Cow<'static, str>>> From<T> for Content {
    fn from(text: T) -> Self {
        Self::Text(text.into())
    }
}

/// By its MIME type: an image, audio, or a file.
impl From<Media> for Content {
    fn from(media: Media) -> Self {
        match media.mime_type().split('/').next() {
            Some("image") => Self::Image(media),
            Some("audio") => Self::Audio(media),
            _ => Self::File(media),
        }
    }
}

impl From<Link> for Content {
    fn from(link: Link) -> Self {
        Self::Link(link)
    }
}

/// Bytes and what they are. Cheap to clone.
///
/// ```
/// use chatluna_tool::{Content, Media};
///
/// let logo = Media::new(b"GIF89a", "image/gif").with_name("logo.gif");
/// assert_eq!((logo.bytes().len(), logo.name()), (6, Some("logo.gif")));
/// assert!(matches!(Content::from(logo), Content::Image(_)));
/// ```
//
// Shared: a result is moved about, and most hold text.
#[derive(Clone, PartialEq, Eq)]
pub struct Media(Arc<MediaParts>);

#[derive(Clone, PartialEq, Eq)]
struct MediaParts {
    bytes: Cow<'static, [u8]>,
    mime_type: Cow<'static, str>,
    name: Option<String>,
}

impl Media {
    /// Bytes of a MIME type: `image/png`.
    pub fn new(
        bytes: impl Into<Cow<'static, [u8]>>,
        mime_type: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self(Arc::new(MediaParts {
            bytes: bytes.into(),
            mime_type: mime_type.into(),
            name: None,
        }))
    }

    /// Sets the name, such as that of a file.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        Arc::make_mut(&mut self.0).name = Some(name.into());
        self
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0.bytes
    }

    /// The MIME type.
    pub fn mime_type(&self) -> &str {
        &self.0.mime_type
    }

    /// The name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }
}

/// `image/png, 12 KiB, "sales.png"`.
impl fmt::Display for Media {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.mime_type(), Size(self.bytes().len()))?;
        self.name().map_or(Ok(()), |name| write!(f, ", {name:?}"))
    }
}

/// Without the bytes.
impl fmt::Debug for Media {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Media({self})")
    }
}

/// Where something can be found. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link(Arc<LinkParts>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct LinkParts {
    uri: String,
    name: Option<String>,
    title: Option<String>,
    description: Option<String>,
    mime_type: Option<String>,
}

impl Link {
    /// A link to this URI.
    pub fn new(uri: impl Into<String>) -> Self {
        Self(Arc::new(LinkParts {
            uri: uri.into(),
            ..LinkParts::default()
        }))
    }

    /// Sets the name of what is there.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.parts().name = Some(name.into());
        self
    }

    /// Sets what people see in place of the name.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.parts().title = Some(title.into());
        self
    }

    /// Sets what is there, for the model.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.parts().description = Some(description.into());
        self
    }

    /// Sets the MIME type of what is there.
    #[must_use]
    pub fn with_mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.parts().mime_type = Some(mime_type.into());
        self
    }

    /// The URI.
    pub fn uri(&self) -> &str {
        &self.0.uri
    }

    /// The name of what is there.
    pub fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }

    /// What people see in place of the name.
    pub fn title(&self) -> Option<&str> {
        self.0.title.as_deref()
    }

    /// What is there, for the model.
    pub fn description(&self) -> Option<&str> {
        self.0.description.as_deref()
    }

    /// The MIME type of what is there.
    pub fn mime_type(&self) -> Option<&str> {
        self.0.mime_type.as_deref()
    }

    fn parts(&mut self) -> &mut LinkParts {
        Arc::make_mut(&mut self.0)
    }
}

/// `https://example.org/a.csv, text/csv, "a.csv": what is in there`.
impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.uri())?;
        if let Some(mime_type) = self.mime_type() {
            write!(f, ", {mime_type}")?;
        }
        if let Some(name) = self.title().or(self.name()) {
            write!(f, ", {name:?}")?;
        }
        if let Some(description) = self.description() {
            write!(f, ": {description}")?;
        }
        Ok(())
    }
}
