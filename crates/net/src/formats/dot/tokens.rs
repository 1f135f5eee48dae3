//! The tokens of DOT.

use std::borrow::Cow;

/// A token.
#[derive(Clone, Debug)]
pub enum Token<'a> {
    /// A name in quotes or angle brackets, or a number.
    Id(Cow<'a, str>),
    /// A name without quotes, or a keyword.
    Word(&'a str),
    /// `{`
    Open,
    /// `}`
    Close,
    /// `[`
    Attributes,
    /// `]`
    AttributesEnd,
    /// `--` or `->`
    Edge,
    /// `=`
    Equals,
    /// `:`
    Colon,
    /// `;` or `,`
    Separator,
    /// The end of the file.
    End,
}

impl Token<'_> {
    /// Whether it is this keyword, in upper or lower case.
    pub fn is(&self, keyword: &str) -> bool {
        matches!(self, Self::Word(word) if word.eq_ignore_ascii_case(keyword))
    }

    /// The name, if it is one.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Id(text) => Cow::Borrowed(text),
            Self::Word(text) => Cow::Borrowed(text),
            _ => Cow::Borrowed(""),
        }
    }
}

/// The tokens of a text, one by one.
pub struct Tokens<'a> {
    text: &'a str,
    place: usize,
    line: usize,
    peeked: Option<Token<'a>>,
}

impl<'a> Tokens<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, place: 0, line: 1, peeked: None }
    }

    /// The line of the last token.
    pub fn line(&self) -> usize {
        self.line
    }

    /// An error message with this line.
    pub fn wrong(&self, what: &str) -> String {
        format!("line {}: {what}", self.line)
    }

    /// The error message for a token that cannot stand here.
    pub fn unexpected(&self, token: &Token) -> String {
        let sign = match token {
            Token::Open => "{",
            Token::Close => "}",
            Token::Attributes => "[",
            Token::AttributesEnd => "]",
            Token::Edge => "--",
            Token::Equals => "=",
            Token::Colon => ":",
            Token::Separator => ";",
            Token::Id(_) | Token::Word(_) | Token::End => "it",
        };
        self.wrong(&format!("{sign} cannot stand here"))
    }

    /// The token after this one.
    pub fn peek(&mut self) -> Result<&Token<'a>, String> {
        let token = self.next()?;
        Ok(self.peeked.insert(token))
    }

    /// The next token.
    pub fn next(&mut self) -> Result<Token<'a>, String> {
        if let Some(token) = self.peeked.take() {
            return Ok(token);
        }
        self.skip_blanks()?;
        let rest = &self.text[self.place..];
        let Some(first) = rest.chars().next() else { return Ok(Token::End) };
        let sign = match first {
            '{' => Some(Token::Open),
            '}' => Some(Token::Close),
            '[' => Some(Token::Attributes),
            ']' => Some(Token::AttributesEnd),
            '=' => Some(Token::Equals),
            ':' => Some(Token::Colon),
            ';' | ',' => Some(Token::Separator),
            _ => None,
        };
        if let Some(sign) = sign {
            self.place += 1;
            return Ok(sign);
        }
        if rest.starts_with("--") || rest.starts_with("->") {
            self.place += 2;
            return Ok(Token::Edge);
        }
        match first {
            '"' => self.quoted(),
            '<' => self.html(),
            _ => self.word(),
        }
    }

    /// Skips white space, comments and preprocessor lines.
    fn skip_blanks(&mut self) -> Result<(), String> {
        loop {
            let rest = &self.text[self.place..];
            let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n', '\u{c}', '\u{feff}']).len();
            self.pass(blank);
            let rest = &self.text[self.place..];
            if rest.starts_with("//") || rest.starts_with('#') && self.is_line_start() {
                self.pass(rest.find('\n').unwrap_or(rest.len()));
            } else if let Some(comment) = rest.strip_prefix("/*") {
                let end = comment.find("*/").ok_or_else(|| self.wrong("a comment is not closed: */ is missing"))?;
                self.pass(end + 4);
            } else {
                return Ok(());
            }
        }
    }

    fn is_line_start(&self) -> bool {
        let before = self.text[..self.place].trim_end_matches([' ', '\t', '\u{feff}']);
        before.is_empty() || before.ends_with('\n')
    }

    /// Advances by this number of bytes, and counts the lines.
    fn pass(&mut self, bytes: usize) {
        let passed = &self.text.as_bytes()[self.place..self.place + bytes];
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count();
        self.place += bytes;
    }

    /// `"..."`, with any strings joined to it by `+`.
    fn quoted(&mut self) -> Result<Token<'a>, String> {
        let mut text = String::new();
        loop {
            let begin = self.line;
            self.pass(1);
            let rest = &self.text[self.place..];
            let mut characters = rest.char_indices();
            let end = loop {
                match characters.next() {
                    None => return Err(format!("line {begin}: a quote is not closed")),
                    Some((place, '"')) => break place,
                    Some((_, '\\')) => match characters.next() {
                        Some((_, escaped @ ('"' | '\\'))) => text.push(escaped),
                        // A backslash at the end of a line continues the string.
                        Some((_, '\n')) => {}
                        Some((place, '\r')) if rest[place..].starts_with("\r\n") => drop(characters.next()),
                        Some((_, other)) => text.extend(['\\', other]),
                        None => {}
                    },
                    Some((_, other)) => text.push(other),
                }
            };
            self.pass(end + 1);
            let (place, line) = (self.place, self.line);
            self.skip_blanks()?;
            if !self.text[self.place..].starts_with('+') {
                (self.place, self.line) = (place, line);
                return Ok(Token::Id(text.into()));
            }
            self.pass(1);
            self.skip_blanks()?;
            if !self.text[self.place..].starts_with('"') {
                return Err(self.wrong("a quoted text must follow +"));
            }
        }
    }

    /// `<...>`, with angle brackets in pairs.
    fn html(&mut self) -> Result<Token<'a>, String> {
        let rest = &self.text[self.place..];
        let mut depth = 0usize;
        for (place, byte) in rest.bytes().enumerate() {
            match byte {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.pass(place + 1);
                return Ok(Token::Id(rest[..=place].into()));
            }
        }
        Err(self.wrong("a text in < > is not closed"))
    }

    /// A name without quotes, or a number.
    fn word(&mut self) -> Result<Token<'a>, String> {
        let rest = &self.text[self.place..];
        let is_letter = |c: char| c == '_' || c.is_ascii_alphanumeric() || !c.is_ascii() && c != '\u{feff}';
        let first = rest.chars().next().unwrap_or_default();
        let end = if first == '-' || first == '.' || first.is_ascii_digit() {
            let number = rest[1..].find(|c: char| !c.is_ascii_digit() && c != '.').map_or(rest.len(), |end| end + 1);
            // Graphviz would split `3rd` into two names; other programs read one.
            rest[number..].find(|c| !is_letter(c)).map_or(rest.len(), |end| number + end)
        } else {
            rest.find(|c| !is_letter(c)).unwrap_or(rest.len())
        };
        if end == 0 || rest[..end].bytes().all(|byte| byte == b'-' || byte == b'.') {
            return Err(self.wrong(&format!("{first:?} cannot stand here without quotes")));
        }
        self.place += end;
        Ok(Token::Word(&rest[..end]))
    }
}
