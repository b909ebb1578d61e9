//! The fuzz targets of the engine's readers: see `tests/support/fuzz.rs`.

use kroo::endgame_files::{EndgamePlan, PackPlan, PackWay, build, pack};
use kroo::endgames::{Boards, Endgames, ThreadPool, database_path, packed_path};
use kroo::evaluate::Weights;
use kroo::game::{Awari, Kalah, Position, Rules, Variant, Verdict};
use kroo::learn::{LearnFile, Learned};
use kroo::ogn::{Reader, parse};
use kroo::players::evolved::EvolvedWeights;
use kroo::protocol::options::set;
use kroo::protocol::{Command, Reply, Settings};
use kroo::tuning::{DataHeader, DataWriter, TrainingPosition, read_data};
use kroo::value::Score;
use kroo::web::Request;
use std::fs;
use std::path::Path;
use support::folder_in_memory;
use support::fuzz::{fuzz, unsealed};

/// The last four bytes are the CRC-32 of the others.
fn seal(bytes: &mut Vec<u8>) {
    if let Some(body) = bytes.len().checked_sub(4) {
        bytes.truncate(body);
        bytes.extend(crc32fast::hash(bytes).to_le_bytes());
    }
}

#[test]
fn of_protocol_lines() {
    fuzz("protocol", Vec::new(), unsealed, |bytes| {
        for line in String::from_utf8_lossy(bytes).lines() {
            // Parsed values round-trip.
            if let Ok(reply) = Reply::parse(line) {
                let again = reply.to_string();
                assert_eq!(Reply::parse(&again).map(|reply| reply.to_string()), Ok(again));
            }
            let _ = Command::parse(line);
            let _ = Position::parse(Variant::Awari, line);
        }
    });
}

/// A value is set to one that the option allows, or refused without a change.
#[test]
fn of_options() {
    fuzz("option", Vec::new(), unsealed, |bytes| {
        let mut settings = Settings::default();
        for line in String::from_utf8_lossy(bytes).lines() {
            if let Ok(Reply::Option(option)) = Reply::parse(line) {
                let again = Reply::Option(option).to_string();
                assert_eq!(Reply::parse(&again).map(|reply| reply.to_string()), Ok(again));
            }
            let Ok(Some(Command::SetOption { name, value })) = Command::parse(line) else { continue };
            let before = settings.clone();
            match set(&mut settings, &name, value.as_deref()) {
                Ok(_) => {
                    let taken = settings.clone();
                    assert!(
                        set(&mut settings, &name, value.as_deref()).is_ok() && settings == taken,
                        "{line}"
                    );
                }
                Err(_) => assert_eq!(settings, before, "{line}"),
            }
        }
        assert!((1..=65_536).contains(&settings.hash_mib) && (1..=256).contains(&settings.threads));
        assert!((1..=6).contains(&settings.multipv) && settings.move_overhead_ms <= 5_000);
    });
}

#[test]
fn of_game_files() {
    fuzz("ogn", Vec::new(), unsealed, |bytes| {
        Reader::new(bytes).for_each(drop);
        let Ok(games) = parse(&String::from_utf8_lossy(bytes)) else { return };
        let text: String = games.iter().map(ToString::to_string).collect();
        let again = parse(&text).expect("what is written can be read");
        assert_eq!(again.len(), games.len());
        assert!(again.iter().zip(&games).all(|(one, other)| one.game == other.game));
    });
}

#[test]
fn of_files_of_lessons() {
    let folder = folder_in_memory();
    let path = folder.path().join("learned");
    fuzz("learn", Vec::new(), unsealed, |bytes| {
        fs::write(&path, bytes).expect("a file");
        if let Ok((_, update)) = LearnFile::open(&path) {
            let (_, again) = LearnFile::open(&path).expect("a file that was sound stays sound");
            assert_eq!(again, Learned { torn: None, ..update });
        }
    });
}

#[test]
fn of_weights() {
    let compiled = include_bytes!("../../../src/core/game/rule_sets/kalah.eval").to_vec();
    fuzz("weights", vec![compiled], seal, |bytes| {
        if let Ok(weights) = Weights::from_bytes(bytes, Variant::Kalah) {
            assert!(Weights::from_bytes(&weights.to_bytes(), Variant::Kalah).is_ok());
        }
    });
}

#[test]
fn of_weights_of_evolved_players() {
    fuzz("evolved", Vec::new(), unsealed, |bytes| {
        let _ = EvolvedWeights::parse(&String::from_utf8_lossy(bytes));
    });
}

/// The level of three seeds of each of two rule sets: one stored as codes, the other as values.
#[test]
fn of_endgame_files() {
    let (whole, folder) = (folder_in_memory(), folder_in_memory());
    let files = [Variant::Awari, Variant::Kalah].map(|variant| {
        let place = whole.path().to_owned();
        let plan = EndgamePlan { variant, seeds: 3, folder: place, threads: 1, memory: None };
        build(&plan, &mut |_| false).expect("it is small");
        for seeds in 0..3 {
            let path = database_path(whole.path(), variant, seeds);
            if path.exists() {
                fs::copy(&path, database_path(folder.path(), variant, seeds)).expect("a copy");
            }
        }
        fs::read(database_path(whole.path(), variant, 3)).expect("a level")
    });
    let open = |path: &Path| {
        fn seeds<R: Rules>(folder: &Path) -> Option<u8> {
            Endgames::new().open::<R>(folder, 3, &ThreadPool::single()).ok().flatten()
        }
        (seeds::<Awari>(path), seeds::<Kalah>(path))
    };
    assert_eq!(open(whole.path()), (Some(3), Some(3)));
    fuzz(
        "endgame",
        files.to_vec(),
        |bytes| seal_level(bytes),
        |bytes| {
            for variant in [Variant::Awari, Variant::Kalah] {
                fs::write(database_path(folder.path(), variant, 3), bytes).expect("a file");
            }
            open(folder.path());
        },
    );
}

/// The checksum of a level's header follows it: 48 bytes, plus 2 for each threshold, 10 for each rare board and 4 for each
/// mebibyte of values.
fn seal_level(bytes: &mut [u8]) {
    let number = |at: usize, length: usize| {
        let mut all = [0; 8];
        all[..length].copy_from_slice(bytes.get(at..at + length)?);
        usize::try_from(u64::from_le_bytes(all)).ok()
    };
    let length = || {
        let blocks = number(24, 8)?.div_ceil(1 << 20);
        let rare = number(32, 8)?.checked_mul(10)?;
        48_usize.checked_add(rare)?.checked_add(2 * number(40, 4)?)?.checked_add(blocks.checked_mul(4)?)
    };
    if let Some(end) = length().filter(|&end| end + 4 <= bytes.len()) {
        let sum = crc32fast::hash(&bytes[..end]).to_le_bytes();
        bytes[end..end + 4].copy_from_slice(&sum);
    }
}

/// The packed file of the level of three seeds: opened whole, opened by its header, and probed.
#[test]
fn of_packed_endgame_files() {
    let folder = folder_in_memory();
    let place = || folder.path().to_owned();
    let plan = EndgamePlan { variant: Variant::Awari, seeds: 3, folder: place(), threads: 1, memory: None };
    build(&plan, &mut |_| false).expect("it is small");
    let plan =
        PackPlan { way: PackWay::Pack, folder: place(), out: None, variant: None, keep: false, threads: 1 };
    pack(&plan, &mut |_| false).expect("it is small");
    let path = packed_path(folder.path(), Variant::Awari, 3);
    let probed = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("a file");
        let (whole, by_header) = (Endgames::new(), Endgames::new());
        let opened = whole.open::<Awari>(folder.path(), 3, &ThreadPool::single()).ok().flatten();
        let _ = by_header.open_by_headers::<Awari>(folder.path(), 3);
        for board in Boards::with(3) {
            let _ = (whole.probe::<Awari>(board, 3), by_header.probe::<Awari>(board, 3));
        }
        let _ = by_header.take_lost_files::<Awari>();
        opened
    };
    let packed = fs::read(&path).expect("a packed file");
    assert_eq!(probed(&packed), Some(3));
    let mut sealed = packed.clone();
    seal_packed(&mut sealed).expect("its parts");
    assert!(sealed == packed, "the checksums are where they are sealed");
    fuzz("packed", vec![packed], |bytes| _ = seal_packed(bytes), |bytes| _ = probed(bytes));
}

/// The checksum of the only block follows its 32 bytes, and that of the header follows all of these.
fn seal_packed(bytes: &mut [u8]) -> Option<()> {
    let number = |bytes: &[u8], at: usize, length: usize| {
        let mut all = [0; 8];
        all[..length].copy_from_slice(bytes.get(at..at.checked_add(length)?)?);
        usize::try_from(u64::from_le_bytes(all)).ok()
    };
    let block = number(bytes, 24, 8)?.checked_add(48)?;
    let sum = block.checked_add(36)?;
    let tiles = crc32fast::hash(bytes.get(sum.checked_add(4)?..bytes.len().checked_sub(8)?)?);
    bytes[block + 32..block + 36].copy_from_slice(&tiles.to_le_bytes());
    let header = crc32fast::hash(&bytes[..sum]);
    bytes[sum..sum + 4].copy_from_slice(&header.to_le_bytes());
    Some(())
}

#[test]
fn of_training_data() {
    let folder = folder_in_memory();
    let path = folder.path().join("data");
    let header = DataHeader { variant: Variant::Kalah, nodes: 1000, seed: 7, endgame_seeds: 0 };
    let weights = Weights::built_in(Variant::Kalah);
    let mut writer = DataWriter::open(&path, header, &weights).expect("a file");
    let position =
        |board| TrainingPosition { board, score: Score::default(), result: Verdict::Win, margin: 3 };
    for seeds in 1..3 {
        let positions: Vec<TrainingPosition> = Boards::with(seeds).map(position).collect();
        writer.add(&positions).expect("it is written");
    }
    drop(writer);
    let sound = fs::read(&path).expect("a file");
    assert_eq!(read_data(&path).expect("data").1.len(), 12 + 78);
    fuzz(
        "training",
        vec![sound],
        |bytes| seal_data(bytes),
        |bytes| {
            fs::write(&path, bytes).expect("a file");
            if let Ok((header, positions)) = read_data(&path) {
                // Values read round-trip.
                fs::remove_file(&path).expect("a file");
                let mut writer = DataWriter::open(&path, header, &weights).expect("a file");
                writer.add(&positions).expect("it is written");
                drop(writer);
                assert_eq!(read_data(&path).expect("data").1, positions);
            }
        },
    );
}

/// The header ends with its check in text. A record begins with its length and two checks.
fn seal_data(bytes: &mut [u8]) {
    let Some(at) = bytes.windows(8).position(|window| window == b"\ncheck: ") else { return };
    let header = at + 1 + "check: 01234567\n".len();
    if bytes.len() < header {
        return;
    }
    let check = format!("check: {:08x}\n", crc32fast::hash(&bytes[..=at]));
    bytes[at + 1..header].copy_from_slice(check.as_bytes());
    let (header, mut rest) = bytes.split_at_mut(header);
    let header = crc32fast::hash(header).to_le_bytes();
    for number in 0u64.. {
        let Some((head, behind)) = rest.split_at_mut_checked(12) else { return };
        let length: [u8; 4] = std::array::from_fn(|byte| head[byte]);
        let Some((content, behind)) = behind.split_at_mut_checked(u32::from_le_bytes(length) as usize) else {
            return;
        };
        let begin = [&header[..], &number.to_le_bytes(), &length].concat();
        head[4..8].copy_from_slice(&crc32fast::hash(&begin).to_le_bytes());
        head[8..].copy_from_slice(&crc32fast::hash(&[&begin, &*content].concat()).to_le_bytes());
        rest = behind;
    }
}

#[test]
fn of_http_requests() {
    const MAX_BODY: usize = 64 << 10;
    fuzz("http", Vec::new(), unsealed, |bytes| {
        let read = Request::parse(bytes, &|_| MAX_BODY);
        let mut longer = bytes.to_vec();
        longer.extend(b"GET / HTTP/1.1\r\n\r\n");
        match &read {
            // Bytes after a request do not change it.
            Ok(Some((request, length))) => {
                assert_eq!(Request::parse(&longer, &|_| MAX_BODY), read);
                assert!(*length <= bytes.len());
                assert!(request.body.len() <= bytes.len());
                let _ = (request.header("host"), request.has("origin"), request.value("page"));
            }
            Ok(None) => {}
            Err(status) => assert!((400..=501).contains(status), "{status}"),
        }
        // A server receives the bytes one by one.
        for end in 0..bytes.len().min(300) {
            if let Ok(Some(request)) = Request::parse(&bytes[..end], &|_| MAX_BODY) {
                assert_eq!(read, Ok(Some(request)));
                break;
            }
        }
    });
}
