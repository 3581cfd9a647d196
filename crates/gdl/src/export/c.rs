//! The network as a program in C or CUDA.

use std::fmt::Write;

use crate::network::{Evaluation, Network};

/// Gates beyond which values are kept in an array, and functions are cut: compilers take long for
/// functions of many thousand variables.
const SMALL: usize = 25_000;
/// Gates of one function then.
const PART: usize = 1_000;
/// Loops over more moves than this stay loops.
const MOST_UNROLLED: usize = 256;

/// The network as a program in C. With `-DPATIENCE_MAIN` it plays at random and prints how many playouts
/// there were and what they came to; its arguments are a seed, a number of turns, and optionally `trace`,
/// which prints every word of every turn instead.
pub fn to_c(network: &Network) -> String {
    let mut out = HEAD.to_owned();
    body(network, &mut out);
    out + MAIN_C
}

/// The same as a program in CUDA: playouts on a GPU, some of them compared with the processor's.
pub fn to_cuda(network: &Network) -> String {
    let mut out = HEAD.to_owned();
    body(network, &mut out);
    out + MAIN_CUDA
}

/// What the network decides.
fn body(network: &Network, out: &mut String) {
    let roles = network.roles.len();
    let gates = network.order.len();
    let code = Code { network, small: gates <= SMALL };
    let (bases, show) = (network.bases.len(), |term| network.terms.show(term).to_string());
    let mut line = |text: std::fmt::Arguments<'_>| {
        let _ = out.write_fmt(text);
        out.push('\n');
    };
    let most = network.moves.iter().map(Vec::len).max().unwrap_or(0);
    // Bits that hold the number of legal moves.
    let count_bits = (usize::BITS - most.leading_zeros()).max(1);
    line(format_args!("#define ROLES {roles}\n#define BASES {bases}"));
    line(format_args!("#define NODES {}", network.nodes.len()));
    line(format_args!("#define COUNT_BITS {count_bits}\n"));
    for (role, &name) in network.roles.iter().enumerate() {
        let count = network.moves[role].len();
        line(format_args!("/* role {role}, {}: {count} moves */", comment(&show(name))));
    }
    // Loops over moves are unrolled where that does not make the program huge.
    let unrolled = if most <= MOST_UNROLLED { "_Pragma(\"unroll\")" } else { "" };
    line(format_args!("#ifdef __CUDACC__\n#define UNROLL {unrolled}"));
    line(format_args!("#else\n#define UNROLL\n#endif"));
    line(format_args!("{RUNTIME}"));
    line(format_args!("FN void begin(Lanes *lanes, unsigned seed) {{\n    start(lanes, seed);"));
    let initial = |base: usize| network.initial[base / 64] >> (base % 64) & 1 == 1;
    for base in 0..bases {
        let word = if initial(base) { "ALL" } else { "NONE" };
        line(format_args!(
            "    lanes->base[{base}] = {word}; /* {} */",
            comment(&show(network.bases[base]))
        ));
    }
    line(format_args!("}}\n"));
    code.functions(&mut line);
}

/// Text that cannot end a comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace('\\', "/")
}

struct Code<'n> {
    network: &'n Network,
    /// Whether values are variables of one function.
    small: bool,
}

impl Code<'_> {
    /// The value of a node.
    fn value(&self, node: u32) -> String {
        let network = self.network;
        let at = node as usize;
        if at < network.bases.len() {
            return format!("b[{at}]");
        }
        for (role, &start) in network.input_start.iter().enumerate() {
            if (start..start + network.moves[role].len()).contains(&at) {
                return format!("m{role}[{}]", at - start);
            }
        }
        if network.nodes[at].given {
            // A place that nothing fills.
            return "NONE".to_owned();
        }
        if self.small { format!("g{node}") } else { format!("g[{node}]") }
    }

    /// What a node is made of.
    fn gate(&self, node: u32) -> String {
        let node = &self.network.nodes[node as usize];
        let (sign, empty) = if node.conjunction { (" & ", "ALL") } else { (" | ", "NONE") };
        let input = |&(input, negated): &(u32, bool)| {
            let value = self.value(input);
            if negated { format!("~{value}") } else { value }
        };
        match node.inputs.is_empty() {
            true => empty.to_owned(),
            false => node.inputs.iter().map(input).collect::<Vec<_>>().join(sign),
        }
    }

    /// Statements that set a node, or the nodes of a cycle.
    fn evaluate(&self, evaluation: Evaluation, out: &mut Vec<String>) {
        let define = if self.small { "W " } else { "" };
        match evaluation {
            Evaluation::Node(node) => {
                out.push(format!("{define}{} = {};", self.value(node), self.gate(node)));
            }
            Evaluation::Loop(number) => {
                let members = &self.network.loops[number as usize].members;
                let mut sources = vec![Vec::new(); members.len()];
                for member in members {
                    member.feeds.iter().for_each(|&fed| sources[fed as usize].push(member.node));
                }
                let mut text = String::new();
                for member in members {
                    let _ = write!(text, "{define}{} = NONE; ", self.value(member.node));
                }
                text.push_str("for (W more = ALL; more;) { more = NONE; W now; ");
                for (member, sources) in members.iter().zip(&sources) {
                    let conjunction = self.network.nodes[member.node as usize].conjunction;
                    let (sign, empty) = if conjunction { (" & ", "ALL") } else { (" | ", "NONE") };
                    let inputs = member.outside.iter().chain(sources).map(|&n| self.value(n));
                    let inputs = inputs.collect::<Vec<_>>().join(sign);
                    let inputs = if inputs.is_empty() { empty.to_owned() } else { inputs };
                    let own = self.value(member.node);
                    let _ = write!(text, "now = {inputs}; more |= now ^ {own}; {own} = now; ");
                }
                out.push(text + "}");
            }
        }
    }

    /// The nodes on which these depend, these among them.
    fn needed(&self, outputs: impl Iterator<Item = u32>) -> Vec<bool> {
        let network = self.network;
        let mut needed = vec![false; network.nodes.len()];
        outputs.for_each(|node| needed[node as usize] = true);
        // Backwards in the order: what needs a node comes after it.
        for &evaluation in network.order.iter().rev() {
            match evaluation {
                Evaluation::Node(node) if needed[node as usize] => {
                    let inputs = &network.nodes[node as usize].inputs;
                    inputs.iter().for_each(|&(input, _)| needed[input as usize] = true);
                }
                Evaluation::Node(_) => {}
                Evaluation::Loop(number) => {
                    let members = &network.loops[number as usize].members;
                    if members.iter().any(|member| needed[member.node as usize]) {
                        for member in members {
                            needed[member.node as usize] = true;
                            member.outside.iter().for_each(|&node| needed[node as usize] = true);
                        }
                    }
                }
            }
        }
        needed
    }

    /// What depends on the state, what only goals need of that, and what depends on the moves, each in
    /// order.
    fn statements(&self) -> [Vec<String>; 3] {
        let network = self.network;
        let next = network.next_words.start as u32 * 64;
        let next = next..next + network.bases.len() as u32;
        let legal = network
            .legal_start
            .iter()
            .zip(&network.moves)
            .flat_map(|(&start, moves)| start as u32..(start + moves.len()) as u32);
        let always = self.needed(next.chain(legal).chain([network.terminal]));
        let goals = self.needed(network.goals.iter().flatten().map(|&(_, node)| node));
        let mut on_moves = vec![false; network.nodes.len()];
        for (role, &start) in network.input_start.iter().enumerate() {
            on_moves[start..start + network.moves[role].len()].fill(true);
        }
        let (mut view, mut late, mut step) = (Vec::new(), Vec::new(), Vec::new());
        for &evaluation in &network.order {
            let (node, moves) = match evaluation {
                Evaluation::Node(node) => {
                    let inputs = &network.nodes[node as usize].inputs;
                    let moves = inputs.iter().any(|&(n, _)| on_moves[n as usize]);
                    on_moves[node as usize] = moves;
                    (node, moves)
                }
                Evaluation::Loop(number) => {
                    let members = &network.loops[number as usize].members;
                    let outside = |m: &crate::network::LoopMember| m.outside;
                    let moves =
                        members.iter().filter_map(outside).any(|node| on_moves[node as usize]);
                    members.iter().for_each(|m| on_moves[m.node as usize] = moves);
                    (members[0].node, moves)
                }
            };
            // What nobody asks for, percepts among it, is left out.
            match (always[node as usize], goals[node as usize], moves) {
                (true, _, true) => self.evaluate(evaluation, &mut step),
                (true, _, false) => self.evaluate(evaluation, &mut view),
                (false, true, _) => self.evaluate(evaluation, &mut late),
                (false, false, _) => {}
            }
        }
        [view, late, step]
    }

    fn functions(&self, line: &mut impl FnMut(std::fmt::Arguments<'_>)) {
        let network = self.network;
        let roles = 0..network.roles.len();
        let words = |role: usize| network.moves[role].len().max(1);
        let mut bodies = self.statements();
        if !self.small {
            let inputs: String = roles.clone().map(|r| format!(", const W *m{r}")).collect();
            let given: String = roles.clone().map(|r| format!(", m{r}")).collect();
            let unused: String = roles.clone().map(|r| format!("(void)m{r}; ")).collect();
            for (kind, statements) in ["view", "late", "step"].into_iter().zip(&mut bodies) {
                let mut calls = Vec::new();
                for (part, statements) in statements.chunks(PART).enumerate() {
                    line(format_args!("PART void {kind}{part}(const W *b, W *g{inputs}) {{"));
                    statements.iter().for_each(|text| line(format_args!("    {text}")));
                    line(format_args!("    (void)b; (void)g; {unused}\n}}"));
                    calls.push(format!("{kind}{part}(b, g{given});"));
                }
                *statements = calls;
            }
        }
        let [view, late, step] = bodies;
        line(format_args!(
            "/* One turn in every bit, on a network of {} gates. Games that are",
            network.order.len()
        ));
        line(format_args!(
            "   over are counted and begin anew where `settle` says so; else they wait. */"
        ));
        line(format_args!("FN void turn(Lanes *lanes, int settle) {{\n    W *b = lanes->base;"));
        if !self.small {
            line(format_args!("    W g[NODES];"));
        }
        for role in roles.clone() {
            line(format_args!("    W m{role}[{0}], l{role}[{0}];", words(role)));
        }
        view.iter().for_each(|text| line(format_args!("    {text}")));
        line(format_args!("    W ended = {}, done = ended;", self.value(network.terminal)));
        for role in roles {
            for number in 0..network.moves[role].len() {
                let legal = self.value((network.legal_start[role] + number) as u32);
                line(format_args!("    l{role}[{number}] = {legal};"));
            }
            let count = network.moves[role].len();
            line(format_args!("    done |= choose(l{role}, m{role}, {count}, lanes->random);"));
            line(format_args!("    SHOW(\"L\", l{role}, {count});"));
            line(format_args!("    SHOW(\"M\", m{role}, {count});"));
        }
        line(format_args!(
            "    done |= lanes->age[AGE_BITS - 1];\n    grow_older(lanes->age, ~done);"
        ));
        line(format_args!("    if (settle) {{"));
        late.iter().for_each(|text| line(format_args!("        {text}")));
        for (role, goals) in network.goals.iter().enumerate() {
            for (&(_, node), value) in goals.iter().zip(&network.goal_values[role]) {
                let goal = self.value(node);
                line(format_args!(
                    "        lanes->goals[{role}] += {value}ull * COUNT({goal} & ended);"
                ));
            }
        }
        line(format_args!("        lanes->playouts += COUNT(ended);"));
        line(format_args!("        lanes->stuck += COUNT(done & ~ended);\n    }}"));
        step.iter().for_each(|text| line(format_args!("    {text}")));
        line(format_args!("    W fresh = settle ? done : NONE, waits = done & ~fresh;"));
        let next = network.next_words.start * 64;
        for base in 0..network.bases.len() {
            let value = self.value((next + base) as u32);
            let begins = network.initial[base / 64] >> (base % 64) & 1 == 1;
            let after = if begins { "| fresh" } else { "& ~fresh" };
            line(format_args!(
                "    b[{base}] = (({value} & ~waits) | (b[{base}] & waits)) {after};"
            ));
        }
        line(format_args!(
            "    UNROLL for (int i = 0; i < AGE_BITS; i++) lanes->age[i] &= ~fresh;"
        ));
        line(format_args!("    lanes->ended = ended;\n    lanes->fresh = fresh;"));
        line(format_args!("    lanes->moves += COUNT(~done);\n}}\n"));
    }
}

const HEAD: &str = r#"/* A game as a propositional network, written by `patience gdl ground --write`. Each bit of a word
   is a playout of its own. Compile as C, or as CUDA. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint32_t W;
#define LANES 32
#define NONE ((W)0)
#define ALL (~(W)0)
/* Bits of a playout's number of moves: where the last is set, it is given up. */
#define AGE_BITS 12
/* Every so many turns playouts that have ended are counted, and begin anew. */
#define PERIOD 8
/* Bits of a random number: moves are drawn evenly up to one part in 2 to this power. */
#define RANDOM_BITS 24

#ifdef __CUDACC__
#define FN static __host__ __device__ __forceinline__
#define PART static __host__ __device__ __noinline__
#else
#define FN static inline
#define PART static
#endif
#ifdef __CUDA_ARCH__
#define COUNT(word) ((unsigned)__popc(word))
#else
#define COUNT(word) ((unsigned)__builtin_popcount(word))
#endif
#ifdef PATIENCE_MAIN
static int showing;
#define SHOW(name, words, count) do { if (showing) show(name, words, count); } while (0)
static void show(const char *name, const W *words, int count) {
    printf("%s", name);
    for (int i = 0; i < count; i++) printf(" %x", (unsigned)words[i]);
    printf("\n");
}
#else
#define SHOW(name, words, count) do { } while (0)
#endif

"#;

/// Between the sizes and the turn: what is the same for all games.
const RUNTIME: &str = r#"
typedef struct {
    W base[BASES];
    W age[AGE_BITS];
    W random[4];
    /* Of the last turn: games that were over, and games that begin anew. */
    W ended, fresh;
    unsigned long long playouts, moves, stuck, goals[ROLES];
} Lanes;

FN W rotate(W word, int by) { return (word << by) | (word >> (32 - by)); }

/* xoshiro128**, by Blackman and Vigna. */
FN W draw(W *s) {
    W drawn = rotate(s[1] * 5u, 7) * 9u, t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 11);
    return drawn;
}

/* Chooses one of the legal moves in every bit, all equally likely; gives the bits that have none.
   Numbers stand upright: word i holds bit i of the number in each lane. */
FN W choose(const W *legal, W *chosen, int count, W *random) {
    W n[COUNT_BITS], rank[COUNT_BITS], any = NONE;
    UNROLL for (int i = 0; i < COUNT_BITS; i++) n[i] = rank[i] = NONE;
    UNROLL for (int k = 0; k < count; k++) {
        W carry = legal[k];
        UNROLL for (int i = 0; i < COUNT_BITS; i++) {
            W both = n[i] & carry;
            n[i] ^= carry;
            carry = both;
        }
        any |= legal[k];
    }
    /* The number of moves times a random fraction: add and halve for every bit of the fraction. */
    for (int r = 0; r < RANDOM_BITS; r++) {
        W bit = draw(random), carry = NONE;
        UNROLL for (int i = 0; i < COUNT_BITS; i++) {
            W x = n[i] & bit, y = rank[i], sum = x ^ y ^ carry;
            carry = (x & y) | (carry & (x ^ y));
            if (i > 0) rank[i - 1] = sum;
        }
        rank[COUNT_BITS - 1] = carry;
    }
    W left = any;
    UNROLL for (int k = 0; k < count; k++) {
        W above = NONE;
        UNROLL for (int i = 0; i < COUNT_BITS; i++) above |= rank[i];
        W here = legal[k] & left & ~above;
        chosen[k] = here;
        left &= ~here;
        W borrow = legal[k] & left;
        UNROLL for (int i = 0; i < COUNT_BITS; i++) {
            W none = ~rank[i] & borrow;
            rank[i] ^= borrow;
            borrow = none;
        }
    }
    return ~any;
}

/* Counts a move in the bits that make one. */
FN void grow_older(W *age, W carry) {
    UNROLL for (int i = 0; i < AGE_BITS; i++) {
        W both = age[i] & carry;
        age[i] ^= carry;
        carry = both;
    }
}

FN void start(Lanes *lanes, unsigned seed) {
    /* splitmix: neighbouring seeds give unlike streams. */
    uint64_t state = seed;
    UNROLL for (int i = 0; i < 4; i++) {
        uint64_t z = (state += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        lanes->random[i] = (W)(z >> 32);
    }
    UNROLL for (int i = 0; i < AGE_BITS; i++) lanes->age[i] = NONE;
    lanes->ended = lanes->fresh = NONE;
    lanes->playouts = lanes->moves = lanes->stuck = 0;
    UNROLL for (int role = 0; role < ROLES; role++) lanes->goals[role] = 0;
}
"#;

const MAIN_C: &str = r#"#ifdef PATIENCE_MAIN
int main(int argc, char **argv) {
    unsigned seed = argc > 1 ? (unsigned)strtoul(argv[1], 0, 10) : 1;
    long turns = argc > 2 ? strtol(argv[2], 0, 10) : 100000;
    showing = argc > 3 && !strcmp(argv[3], "trace");
    static Lanes lanes;
    begin(&lanes, seed);
    for (long i = 0; i < turns; i++) {
        SHOW("S", lanes.base, BASES);
        turn(&lanes, i % PERIOD == PERIOD - 1);
        SHOW("E", &lanes.ended, 1);
        SHOW("F", &lanes.fresh, 1);
    }
    printf("playouts %llu moves %llu stuck %llu goals", lanes.playouts, lanes.moves, lanes.stuck);
    for (int role = 0; role < ROLES; role++) printf(" %llu", lanes.goals[role]);
    printf("\n");
    return 0;
}
#endif
"#;

const MAIN_CUDA: &str = r#"#define CHECKED 64

__global__ void play(unsigned seed, int turns, unsigned long long *sums, Lanes *checked) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    Lanes lanes;
    begin(&lanes, seed + thread);
    for (int i = 0; i < turns; i++) turn(&lanes, i % PERIOD == PERIOD - 1);
    atomicAdd(&sums[0], lanes.playouts);
    atomicAdd(&sums[1], lanes.moves);
    atomicAdd(&sums[2], lanes.stuck);
    for (int role = 0; role < ROLES; role++) atomicAdd(&sums[3 + role], lanes.goals[role]);
    if (thread < CHECKED) checked[thread] = lanes;
}

static int same(const Lanes *a, const Lanes *b) {
    return !memcmp(a->base, b->base, sizeof a->base) && !memcmp(a->goals, b->goals, sizeof a->goals) &&
           a->playouts == b->playouts && a->moves == b->moves && a->stuck == b->stuck;
}

static void must(cudaError_t error) {
    if (error != cudaSuccess) {
        fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

int main(int argc, char **argv) {
    double span = argc > 1 ? atof(argv[1]) : 1;
    int blocks = argc > 2 ? atoi(argv[2]) : 2048, threads = argc > 3 ? atoi(argv[3]) : 128;
    int turns = argc > 4 ? atoi(argv[4]) : 1000;
    unsigned all = (unsigned)blocks * (unsigned)threads, compared = all < CHECKED ? all : CHECKED;
    unsigned long long *sums, total[3 + ROLES];
    static Lanes of_gpu[CHECKED], lanes;
    Lanes *checked;
    must(cudaMalloc(&sums, sizeof total));
    must(cudaMalloc(&checked, sizeof of_gpu));
    cudaEvent_t from, to;
    must(cudaEventCreate(&from));
    must(cudaEventCreate(&to));
    double seconds = 0;
    /* The first launch warms up, and is the one that is compared. */
    for (unsigned launch = 0; launch < 2 || seconds < span; launch++) {
        if (launch < 2) {
            must(cudaMemset(sums, 0, sizeof total));
            seconds = 0;
        }
        must(cudaEventRecord(from));
        play<<<blocks, threads>>>(1u + launch * all, turns, sums, checked);
        must(cudaGetLastError());
        must(cudaEventRecord(to));
        must(cudaEventSynchronize(to));
        float ms = 0;
        must(cudaEventElapsedTime(&ms, from, to));
        seconds += ms / 1e3;
        if (launch == 0) must(cudaMemcpy(of_gpu, checked, sizeof of_gpu, cudaMemcpyDeviceToHost));
    }
    must(cudaMemcpy(total, sums, sizeof total, cudaMemcpyDeviceToHost));
    for (unsigned thread = 0; thread < compared; thread++) {
        begin(&lanes, 1u + thread);
        for (int i = 0; i < turns; i++) turn(&lanes, i % PERIOD == PERIOD - 1);
        if (!same(&lanes, &of_gpu[thread])) {
            fprintf(stderr, "error: thread %u differs from the processor\n", thread);
            return 1;
        }
    }
    printf("%u threads of %d lanes are the same on the processor, to the bit\n", compared, LANES);
    printf("playouts %llu moves %llu stuck %llu seconds %.4f\n", total[0], total[1], total[2], seconds);
    printf("%.4g playouts/s, %.4g moves/s\n", total[0] / seconds, total[1] / seconds);
    for (int role = 0; role < ROLES; role++)
        printf("role %d: mean goal %.3f\n", role, (double)total[3 + role] / (double)total[0]);
    return 0;
}
"#;
