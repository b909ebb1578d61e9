//! The end of the long help: the words after options, and everything that goes for a whole match.

pub(super) const WORDS: &str = "\
Words that describe an engine, after --engine or, for all engines, after --each:
  cmd=PATH          the program: a file in dir, else a file, else a name to look
                    up in PATH; an engine that cannot be started ends the match
                    (see --recover)
  args=TEXT         its arguments, split as in a shell: quotes keep blanks
                    together
  dir=PATH          the folder to run it in
  name=TEXT         its name in the results [default: the program's name]
  protocol=uci|ugi  the protocol that it speaks (with ugi: without ponder)
                    [default: uci]
  option.NAME=TEXT  a value for one of the options that the engine declares (see
                    --lenient)
  st=SECONDS        the time for each move
  tc=[MOVES/]TIME[+INCREMENT]
                    a clock: TIME in seconds (or min:sec) for MOVES moves, or
                    for the whole game; INCREMENT is added before each move
  nodes=N, depth=N  limits that are passed on to the engine; limits combine,
                    except st with tc [default if there is no limit at all:
                    st=0.1]
  timemargin=MS     how late a move may be, in milliseconds; with tc, how late
                    all moves of a game together, until time is added [default:
                    50]
  watchdog=SECONDS  without st and tc: how long a move may take before the
                    engine counts as hung [default: 60]
  startup=SECONDS   how long the engine may take to start, and to get ready for
                    a game [default: 10]
  quit=SECONDS      how long the engine may take to exit after `quit`, before it
                    is killed [default: 1]
  restart=on|off    whether the engine is restarted for each game [default: off]
  stderr=FILE       the file to which its standard error is appended [default:
                    it is discarded]
  stderrlimit=KIB   KiB of it to keep from the beginning, and as many from the
                    end [default: 1024]
  env.NAME=TEXT     an environment variable; with nothing after the = the
                    referee's own value. Engines get PATH, HOME, USER, LOGNAME,
                    LANG, LANGUAGE, LC_*, TZ and TMPDIR, and no others
  memory=MIB        memory for the data of each of its processes, and in a
                    control group with limits for all of them together [default:
                    three quarters of the machine's]
  processes=N       how many processes it may have; with more, all are killed
                    [default: 64]
  files=N           how many files each of its processes may have open [default:
                    1024]
  read=PATH[:PATH]  files and folders that it may read in a sandbox besides its
                    program
  filesize=MIB      the longest file that it may write, in a sandbox not less
                    than its program [default: 1024]
  sandbox=on|off    whether it runs in a sandbox made by bubblewrap: no network,
                    no processes of others, no files but its program, the
                    system's programs and libraries, read= and dir= [default:
                    off; --sandbox puts all engines into one]
  ponder=on|off     whether it ponders, that is, searches on its opponent's time
                    [default: off]

Words after --sprt. The match of two engines ends as soon as one of two hypotheses can be accepted (Wald's test):
  elo0=ELO elo1=ELO
                    the first engine is better by elo0 (hypothesis H0), or by
                    elo1 (H1); from -200 to 200
  alpha=P, beta=P   the probability of accepting H1 although H0 holds, and H0
                    although H1 holds [default: 0.05]
  model=NAME        what Elo means: normalized or logistic, which count pairs of
                    games; bayesian (Elo of the program BayesElo) or classical
                    (the test of older match runners), which count single games
                    [default: normalized]

Events:
  match             two engines play each other
  round-robin       every engine meets every other one, once in each round
  gauntlet          the first engines (see --gauntlet-seeds) meet all others,
                    but not each other
  swiss             in each round, engines with the same number of points meet;
                    if the number of engines is odd, one of them has a bye
  knockout          the loser of a tie is out; the order of the engines is the
                    seeding; a level tie is extended by at most three pairs of
                    games, then the seeds captured decide, and then the seeding

Words after --resign and --draw. Scores are in seeds, from the engine's own side; a proven win is more than all seeds, \
and a bound is no score:
  moves=N           how many of its own moves in a row must have such a score
  score=SEEDS       --resign: it is at least SEEDS behind; --draw: it is at most
                    SEEDS from level
  twosided=on|off   whether both engines must agree [default: off for --resign,
                    on for --draw]
  from=N            --draw: only after N moves of both sides [default: 0]

Without --engine, the `kroo` next to the referee plays its player `evolved` (nodes=20000).

A file of openings has one in each line: a position (fifteen fields), or moves from the start (FfEc or F f E c). \
Text after a # is a comment.

An engine that makes an illegal move, is late, hangs, crashes or does not start loses that game. It is killed with its \
children and restarted for the next game. The report of a fault has its last lines and the end of its standard error. A \
game lost because the referee was suspended (a machine stall) is played again, three times at most. A game in which an \
engine was suspended or kept from the processors, perhaps by the other, is played again once; the second ends the match. \
SIGINT, SIGTERM and SIGHUP (unless it is ignored) stop the match: games in progress do not count, and the results of the \
others are shown and written.

A journal records the command line, without the password of a queue. A resumed match takes all options from there that are \
not given again and, unless --engine is given, runs in the folder where it began. It starts the programs that the journal \
names and writes the files: resume only journals that you trust.

A broken match has no verdict. All engines are started once before the first game; if one does not start, or complains \
about an option that was set, nothing is played. An engine that keeps dying ends the match later (see --max-faults).

Exit status: 0 if all games were played, and with --sprt if H1 was accepted; 10 if --sprt has rejected H1 (accepted H0); \
11 if --sprt was inconclusive after all rounds; 12 if the match was broken by an engine, or --sprt has no verdict because an \
engine has lost all its games by faults; 1 after an error in the arguments, with a file or with the machine; 128 + N if signal N has stopped the match.";
