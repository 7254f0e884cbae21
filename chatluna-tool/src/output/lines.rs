//! A text as `read_output` counts its lines.

/// The most bytes of a line: what is longer counts as several, so that all of it can be reached.
pub(crate) const MAX_LINE_BYTES: usize = 2_000;

/// The lines of a text, without their ends.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(pieces)
}

fn pieces(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let line = rest?;
        let (piece, behind) = line.split_at(floor_boundary(line, MAX_LINE_BYTES));
        rest = Some(behind).filter(|behind| !behind.is_empty());
        Some(piece)
    })
}

/// The last boundary between characters up to there.
pub(crate) fn floor_boundary(text: &str, at: usize) -> usize {
    let boundaries = (0..=at.min(text.len())).rev();
    let mut boundaries = boundaries.filter(|at| text.is_char_boundary(*at));
    boundaries.next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn a_long_line_is_several() {
        let long = "漢".repeat(1_000);
        let text = format!("\n{long}\r\nend");
        let lines: Vec<&str> = lines(&text).collect();
        let lengths: Vec<usize> = lines.iter().map(|line| line.len()).collect();
        assert_eq!(lengths, [0, 1_998, 1_002, 3]);
        assert_eq!(lines.concat(), format!("{long}end"));
    }
}
