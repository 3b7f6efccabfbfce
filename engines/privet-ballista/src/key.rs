//! The key that the machines of a cluster share, and what is sealed with keys of a query.

use std::fs;
use std::path::Path;

use blake3::Hash;
use crypto_box::aead::OsRng;
use crypto_box::{PublicKey, SecretKey};

/// What those who may ask, and those who may answer, have in common: 32 bytes in a file that only its
/// owner can read.
///
/// Ballista authenticates nobody. With this key executors run the tasks of those who have it, and nothing
/// else; and who asked can tell their answers from others.
#[derive(Clone)]
pub struct ClusterKey([u8; 32]);

impl core::fmt::Debug for ClusterKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("ClusterKey(..)")
    }
}

impl ClusterKey {
    /// Draws a new key.
    #[must_use]
    pub fn draw() -> Self {
        ClusterKey(SecretKey::generate(&mut OsRng).to_bytes())
    }

    /// Reads a key: 64 hexadecimal digits.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not a key, or can be read by others.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, &'static str> {
        let path = path.as_ref();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let about = fs::metadata(path).map_err(|_| "the key's file cannot be read")?;
            if about.permissions().mode() & 0o077 != 0 {
                return Err("the key's file can be read by others; chmod 600 it");
            }
        }
        let text = fs::read_to_string(path).map_err(|_| "the key's file cannot be read")?;
        let key = Hash::from_hex(text.trim());
        Ok(ClusterKey(
            *key.map_err(|_| "the key's file is not 64 hexadecimal digits")?
                .as_bytes(),
        ))
    }

    /// Writes the key to a new file that only its owner can read.
    ///
    /// # Errors
    ///
    /// If the file exists or cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> std::io::Result<()> {
        use std::io::Write;
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path)?;
        writeln!(file, "{}", Hash::from_bytes(self.0))
    }

    /// A code that only who has the key can compute.
    fn code(&self, context: &str, parts: &[&[u8]]) -> Hash {
        let key = blake3::derive_key(context, &self.0);
        let mut hasher = blake3::Hasher::new_keyed(&key);
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        hasher.finalize()
    }
}

const ORDER: &str = "privet-ballista 2026 order";
const ANSWER: &str = "privet-ballista 2026 answer";
const ORDER_KEY: &str = "privet-ballista 2026 order of persons";
const HEAD: &[u8; 8] = b"privord\x03";

/// The sources of this program: parts of an answer are computed by the same code, or not at all.
const BUILD: &str = env!("PRIVET_BUILD");

/// What an executor is sent: a task, and the key to which its answer is sealed. Who has not the cluster's key learns
/// no secret from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Drawn for this attempt.
    pub reader: [u8; 32],
    /// The parts of the rows that it may be run on: see [`part::name`](crate::part::name).
    pub parts: Vec<[u8; 32]>,
    /// See [`privet::engine::Task`].
    pub task: Vec<u8>,
    /// If the task keeps some rows of each person.
    pub persons: Option<Persons>,
    code: [u8; 32],
}

/// How executors find out which rows of a person come first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Persons {
    /// What the order of each person's rows is made from, hidden from all who have not the cluster's key.
    hidden: [u8; 16],
    /// A scan of the column that names persons, of all parts, in their order: as plans are written.
    scan: Vec<u8>,
}

impl Persons {
    /// The order key of a vault, and its scan of persons.
    pub fn new(key: &ClusterKey, reader: &PublicKey, order_key: [u8; 16], scan: Vec<u8>) -> Self {
        let hidden = mask(key, reader.as_bytes(), order_key);
        Persons { hidden, scan }
    }

    /// The order key and the scan, for who has the cluster's key.
    pub fn scan(&self, key: &ClusterKey, reader: &[u8; 32]) -> ([u8; 16], &[u8]) {
        (mask(key, reader, self.hidden), &self.scan)
    }
}

/// Hides 16 bytes, or shows them again: each reader has a mask of its own, and is drawn for one attempt.
fn mask(key: &ClusterKey, reader: &[u8; 32], bytes: [u8; 16]) -> [u8; 16] {
    let mask = key.code(ORDER_KEY, &[reader]);
    let mut masked = bytes;
    for (byte, mask) in masked.iter_mut().zip(mask.as_bytes()) {
        *byte ^= mask;
    }
    masked
}

impl Order {
    /// An order by who has the key.
    pub fn new(
        key: &ClusterKey,
        reader: &PublicKey,
        parts: Vec<[u8; 32]>,
        task: Vec<u8>,
        persons: Option<Persons>,
    ) -> Self {
        let mut order = Order {
            reader: reader.to_bytes(),
            parts,
            task,
            persons,
            code: [0; 32],
        };
        order.code = *order.signed(key, BUILD).as_bytes();
        order
    }

    fn signed(&self, key: &ClusterKey, build: &str) -> Hash {
        let parts = self.parts.concat();
        let (build, persons) = (build.as_bytes(), self.encode_persons());
        key.code(ORDER, &[build, &self.reader, &parts, &persons, &self.task])
    }

    /// Whether it was given by who has the key, from a program of the same build.
    pub fn is_by(&self, key: &ClusterKey) -> bool {
        // A comparison of hashes takes constant time.
        self.signed(key, BUILD) == Hash::from_bytes(self.code)
    }

    fn encode_persons(&self) -> Vec<u8> {
        match &self.persons {
            None => vec![0],
            Some(Persons { hidden, scan }) => {
                let length = (scan.len() as u64).to_le_bytes();
                [&[1][..], hidden, &length, scan].concat()
            }
        }
    }

    /// As bytes.
    pub fn encode(&self) -> Vec<u8> {
        let parts = (self.parts.len() as u32).to_le_bytes();
        [
            &HEAD[..],
            &self.reader,
            &self.code,
            &parts,
            &self.parts.concat(),
            &self.encode_persons(),
            &self.task,
        ]
        .concat()
    }

    /// Reads what [`encode`](Order::encode) wrote.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (reader, rest) = bytes.strip_prefix(HEAD)?.split_first_chunk()?;
        let (code, rest) = rest.split_first_chunk()?;
        let (parts, rest) = rest.split_first_chunk()?;
        let parts = usize::try_from(u32::from_le_bytes(*parts)).ok()?;
        let (parts, rest) = rest.split_at_checked(parts.checked_mul(32)?)?;
        let (persons, task) = match rest.split_first()? {
            (0, task) => (None, task),
            (1, rest) => {
                let (hidden, rest) = rest.split_first_chunk()?;
                let (length, rest) = rest.split_first_chunk()?;
                let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
                let (scan, task) = rest.split_at_checked(length)?;
                let (hidden, scan) = (*hidden, scan.to_vec());
                (Some(Persons { hidden, scan }), task)
            }
            _ => return None,
        };
        Some(Order {
            reader: *reader,
            code: *code,
            parts: parts.as_chunks::<32>().0.to_vec(),
            task: task.to_vec(),
            persons,
        })
    }

    /// PRIVACY: exact cells leave an executor in this form only. They are sealed to a key that was drawn for
    /// this order, and whose other half never leaves the process that asked.
    pub fn seal(&self, key: &ClusterKey, part: &[u8; 32], answer: &[u8]) -> Option<Vec<u8>> {
        let code = key.code(ANSWER, &[&self.reader, part, answer]);
        let message = [code.as_bytes(), &part[..], answer].concat();
        PublicKey::from_bytes(self.reader)
            .seal(&mut OsRng, &message)
            .ok()
    }

    /// Opens an answer to this order: which part of the rows it is about, and what it says.
    pub fn open(
        &self,
        key: &ClusterKey,
        secret: &SecretKey,
        sealed: &[u8],
    ) -> Option<([u8; 32], Vec<u8>)> {
        let message = secret.unseal(sealed).ok()?;
        let (code, rest) = message.split_first_chunk::<32>()?;
        let (part, answer) = rest.split_first_chunk::<32>()?;
        let expected = key.code(ANSWER, &[&self.reader, part, answer]);
        (expected == Hash::from_bytes(*code)).then(|| (*part, answer.to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(key: &ClusterKey) -> (Order, SecretKey) {
        let secret = SecretKey::generate(&mut OsRng);
        let reader = secret.public_key();
        let persons = Persons::new(key, &reader, *b"which come first", b"scan".to_vec());
        let parts = vec![[7; 32]];
        let order = Order::new(key, &reader, parts, b"task".to_vec(), Some(persons));
        (order, secret)
    }

    #[test]
    fn the_order_of_persons_is_shown_to_who_has_the_key() {
        let (key, other) = (ClusterKey::draw(), ClusterKey::draw());
        let ((first, _), (second, _)) = (order(&key), order(&key));
        let shown = |order: &Order, key: &ClusterKey| {
            let persons = order.persons.as_ref().unwrap();
            persons.scan(key, &order.reader).0
        };
        assert_eq!(shown(&first, &key), *b"which come first");
        assert_eq!(shown(&second, &key), *b"which come first");
        assert_ne!(shown(&first, &other), *b"which come first");
        let (first, second) = (first.persons.unwrap(), second.persons.unwrap());
        assert_ne!(first.hidden, *b"which come first");
        // Each attempt hides it in another way.
        assert_ne!(first.hidden, second.hidden);
    }

    #[test]
    fn orders_are_obeyed_only_with_the_key() {
        let (key, other) = (ClusterKey::draw(), ClusterKey::draw());
        let (order, _) = order(&key);
        assert!(order.is_by(&key) && !order.is_by(&other));
        assert_eq!(Order::decode(&order.encode()), Some(order.clone()));
        // Another reader, another task, another order of persons.
        for place in 8..order.encode().len() {
            let mut bytes = order.encode();
            bytes[place] ^= 1;
            let damaged = Order::decode(&bytes);
            assert!(
                damaged.is_none_or(|order| !order.is_by(&key)),
                "byte {place}"
            );
        }
        assert_eq!(Order::decode(&order.encode()[..107]), None);
    }

    #[test]
    fn orders_of_another_build_are_refused() {
        let key = ClusterKey::draw();
        let (mut order, _) = order(&key);
        assert!(order.is_by(&key));
        order.code = *order.signed(&key, "0.1.0-0123456789abcdef").as_bytes();
        assert!(!order.is_by(&key));
        // The version and a hash of the sources.
        let (version, hash) = BUILD.split_once('-').unwrap();
        assert_eq!(version, env!("CARGO_PKG_VERSION"));
        assert!(u64::from_str_radix(hash, 16).unwrap() != 0);
    }

    #[test]
    fn answers_are_read_by_who_asked_and_are_of_who_has_the_key() {
        let (key, other) = (ClusterKey::draw(), ClusterKey::draw());
        let (first, secret) = order(&key);
        let (second, _) = order(&key);
        let sealed = first.seal(&key, &[7; 32], b"exact cells").unwrap();
        assert_eq!(
            first.open(&key, &secret, &sealed),
            Some(([7; 32], b"exact cells".to_vec()))
        );
        assert!(!sealed.windows(5).any(|bytes| bytes == b"cells"));
        // Not the reader; not of this order; forged; damaged.
        let stranger = SecretKey::generate(&mut OsRng);
        assert_eq!(first.open(&key, &stranger, &sealed), None);
        assert_eq!(second.open(&key, &secret, &sealed), None);
        let forged = first.seal(&other, &[7; 32], b"exact cells").unwrap();
        assert_eq!(first.open(&key, &secret, &forged), None);
        let mut damaged = sealed.clone();
        damaged[60] ^= 1;
        assert_eq!(first.open(&key, &secret, &damaged), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_key_that_others_can_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("key");
        let key = ClusterKey::draw();
        key.write(&path).unwrap();
        assert_eq!(ClusterKey::read(&path).unwrap().0, key.0);
        assert!(key.write(&path).is_err());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(ClusterKey::read(&path).unwrap_err().contains("chmod 600"));
        assert_eq!(format!("{key:?}"), "ClusterKey(..)");
    }
}
