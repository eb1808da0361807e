// Common functions of the JavaScript client sessions: steps, waiting, and settings that
// the test passes in environment variables.
//
// A session prints one line per step. If it needs an authorization code it prints the
// address to visit and reads the code from standard input. It exits with code 1 at the
// first failure.
import { createInterface } from "node:readline";
import { WebSocket } from "ws";

// Two functions that the clients require and Node 20 lacks.
globalThis.WebSocket ??= WebSocket;
Promise.withResolvers ??= () => {
  const all = {};
  all.promise = new Promise((resolve, reject) => Object.assign(all, { resolve, reject }));
  return all;
};

function env(name) {
  const value = process.env[name];
  if (!value) fail(`environment variable ${name} is not set`, new Error("run by the Go test of this directory"));
  return value;
}

export const url = env("LINNET_URL");
export const user = env("LINNET_USER");
export const other = env("LINNET_OTHER");
export const otherToken = env("LINNET_OTHER_TOKEN");
export const staffToken = env("LINNET_STAFF_TOKEN"); // of a moderator
export const page = env("LINNET_PAGE"); // a page of another site
// Trends: a tag, a link, a status with many favourites, and a user who posts about them.
export const trend = { tag: "springtime", link: "https://news.example/spring", status: env("LINNET_TREND"), talker: env("LINNET_TALKER") };

function fail(what, error) {
  console.log(`FAIL ${what}: ${error?.stack ?? error}`);
  if (error?.response?.data) console.log(`     answer: ${JSON.stringify(error.response.data)}`);
  process.exit(1);
}

process.on("unhandledRejection", (error) => fail("unhandled rejection", error));

// A PNG with one red pixel.
export const dot = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGM4IScHAAK2AQU0pnWqAAAAAElFTkSuQmCC", "base64");

// step runs one step; act returns a word or two for the line, or nothing.
export async function step(name, act) {
  const began = performance.now();
  try {
    const said = await act();
    console.log(`ok   ${name}${said ? ` (${said})` : ""} ${Math.round(performance.now() - began)} ms`);
  } catch (error) {
    fail(name, error);
  }
}

export function want(condition, message) {
  if (!condition) throw new Error(message);
}

export function equal(got, wanted, what) {
  if (got !== wanted) throw new Error(`${what}: got ${JSON.stringify(got)}, want ${JSON.stringify(wanted)}`);
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const patience = 60; // seconds

// eventually repeats check until it returns a true value, because the effects of an
// action (fan-out, notifications, filling a list) can take a moment.
export async function eventually(what, check) {
  for (const end = Date.now() + patience * 1000; ; ) {
    const got = await check();
    if (got) return got;
    if (Date.now() > end) throw new Error(`${what}: not within ${patience} s`);
    await pause(50);
  }
}

export function within(promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${patience} s`)), patience * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

// askCode asks the test to open an address and returns the code it gets there.
export function askCode(address) {
  console.log(`authorize ${address}`);
  const lines = createInterface({ input: process.stdin });
  return new Promise((resolve, reject) => {
    lines.once("line", (line) => {
      resolve(line.trim());
      lines.close();
    });
    lines.once("close", () => reject(new Error("no code was given")));
  });
}

// found creates a group of the other user with Linnet's own API. Everything after it works
// in any client.
export async function found(kind, username, invited = []) {
  const answer = await fetch(`${url}/api/v1/groups`, {
    method: "POST", headers: { Authorization: `Bearer ${otherToken}`, "Content-Type": "application/json" },
    body: JSON.stringify({ username, display_name: `The ${kind}`, kind, account_ids: invited }),
  });
  equal(answer.status, 200, `code of a new ${kind} group`);
  return answer.json();
}

export function done() {
  console.log("done");
  process.exit(0);
}
