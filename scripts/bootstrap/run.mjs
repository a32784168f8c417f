import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { BootstrapError } from './bootstrap-error.mjs';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** npm passes on to us the Ctrl-C that the terminal has already sent us: the same signal again this soon is its echo. */
const echoMs = 500;
const parentCheckMs = 200;

/** A step of the preparations: its output goes to stderr. A signal ends the step, and us after it. */
export async function runStep(command, args, options) {
  const end = await run(command, args, { ...options, stdio: ['ignore', process.stderr.fd, process.stderr.fd] });
  if (end.interruptedBy !== null) {
    throw new BootstrapError(
      `interrupted by ${end.interruptedBy}; the next start repairs what is half done.`,
      signalCode(end.interruptedBy),
    );
  }
  return end.code;
}

/** The program itself: it has the terminal, decides what a signal means, and its exit code is ours. */
export async function runProgram(command, args, options) {
  return (await run(command, args, { ...options, stdio: 'inherit' })).code;
}

/**
 * Signals go to the child, we only leave after it. A Ctrl-C (or the closing of the terminal) reaches the child from the
 * terminal, as it is in our process group, so it is not sent again: a second one often means "at once". A child in a
 * group of its own would get it once too, but could no longer read the terminal (`jest --watch`) and would outlive a
 * kill of the group. What this costs: at a terminal, `kill -INT` of this process alone does nothing; `kill` does.
 */
function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
    const child = spawn(command, args, options);
    const last = {};
    let interruptedBy = null;
    const forward = (signal) => {
      interruptedBy ??= signal;
      const now = Date.now();
      const echo = now - (last[signal] ?? 0) < echoMs;
      last[signal] = now;
      if (!echo && !(atTerminal && signal !== 'SIGTERM')) child.kill(signal);
    };
    for (const signal of forwarded) process.on(signal, forward);
    const watching = watchNpm(() => interruptedBy ?? child.kill('SIGTERM'));
    const done = () => {
      clearInterval(watching);
      for (const signal of forwarded) process.off(signal, forward);
    };
    child.on('error', (error) => {
      done();
      reject(
        new BootstrapError(
          `${command} does not run (${error.code ?? error.message}): delete node_modules and start again.`,
        ),
      );
    });
    // `exit`, not `close`: a server that the program left running may hold its stderr open.
    child.on('exit', (code, signal) => {
      done();
      resolve({ code: code ?? signalCode(signal), interruptedBy });
    });
  });
}

/**
 * npm starts us through `sh`, and passes signals on to `sh`, which dies of them and leaves us behind knowing nothing: a
 * `kill` of npm would end npm alone. So when our parent is gone we take it for the signal.
 */
function watchNpm(onGone) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const parent = process.ppid;
  const watching = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watching);
    onGone();
  }, parentCheckMs);
  return watching;
}

function signalCode(signal) {
  return 128 + (constants.signals[signal] ?? 0);
}
