// A session with megalodon: https://github.com/h3poteto/megalodon
import { askCode, done, dot, equal, eventually, found, other, otherToken, page, step, trend, url, user, want, within } from "./session.mjs";
import { createReadStream } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import generator, { detector } from "megalodon";

const tag = `mega${process.pid}`;
const scopes = ["read", "write", "follow"];
let sns, app, token, me, friend, mine, them, we;

await step("detect", async () => {
  sns = await detector(url);
  equal(sns, "mastodon", "kind of server");
  them = generator(sns, url, otherToken, "megalodon session");
});

await step("register the app", async () => {
  app = await generator(sns, url).registerApp("megalodon", { scopes });
  want(app.url, "no address to visit");
});

await step("log in with a code", async () => {
  const code = await askCode(app.url);
  token = await generator(sns, url).fetchAccessToken(app.client_id, app.client_secret, code);
  we = generator(sns, url, token.access_token, "megalodon session");
});

await step("instance and verify_credentials", async () => {
  want((await we.getInstance()).data.configuration.statuses.max_characters >= 500, "limit of characters");
  me = (await we.verifyAccountCredentials()).data;
  equal(me.username, user, "user name");
});

await step("search and follow", async () => {
  const found = (await we.search(other, { type: "accounts", resolve: true })).data;
  friend = found.accounts.find((a) => a.username === other);
  want(friend, "account not found");
  want((await we.followAccount(friend.id)).data.following, "not following");
  want((await we.getRelationship(friend.id)).data.following, "relationship does not say so");
});

const posted = [];
await step("home, page by page to the end", async () => {
  for (let i = 0; i < 25; i++) posted.push((await them.postStatus(`mega ${i} #${tag}`, { visibility: "public" })).data.id);
  const pages = await eventually("all 25 statuses at home", async () => {
    const seen = [];
    let pages = 0;
    let max_id;
    do {
      const answer = await we.getHomeTimeline({ limit: 10, max_id });
      pages++;
      want(pages < 20, "home does not end");
      seen.push(...answer.data.map((s) => s.id));
      const link = answer.headers.link;
      max_id = link && linkNext(link);
    } while (max_id);
    equal(new Set(seen).size, seen.length, "statuses that came once");
    return posted.every((id) => seen.includes(id)) && pages;
  });
  return `${pages} pages`;
});

// linkNext parses the header like parse_link_header of megalodon: it splits at commas,
// and then at semicolons into two parts.
function linkNext(header) {
  for (const part of header.split(",")) {
    const halves = part.split(";");
    equal(halves.length, 2, `parts of ${part}`);
    if (halves[1].trim() === 'rel="next"') return new URL(halves[0].trim().slice(1, -1)).searchParams.get("max_id");
  }
}

await step("followers over all pages", async () => {
  await eventually("the follower", async () => {
    const all = (await them.getAccountFollowers(friend.id, { get_all: true, limit: 1 })).data;
    return all.some((a) => a.id === me.id);
  });
});

await step("pictures", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "linnet-")), "dot.png");
  await writeFile(file, dot);
  const picture = (await we.uploadMedia(createReadStream(file), { description: "a red point" })).data;
  equal(picture.type, "image", "type");
  equal(picture.description, "a red point", "description");
  const shown = (await we.postStatus("look", { media_ids: [picture.id], visibility: "public" })).data;
  equal(shown.media_attachments[0]?.id, picture.id, "the picture of the status");
  await we.deleteStatus(shown.id);
});

await step("post, reply, context", async () => {
  mine = (await we.postStatus(`hello @${other} #${tag}`, { visibility: "public" })).data;
  const reply = (await them.postStatus(`@${user} indeed`, { in_reply_to_id: mine.id })).data;
  await eventually("the reply in the context", async () => {
    return (await we.getStatusContext(mine.id)).data.descendants.some((s) => s.id === reply.id);
  });
});

await step("followed tags", async () => {
  want((await we.followTag("marsh")).data.following, "following");
  const all = (await we.getFollowedTags()).data;
  want(all.length === 1 && all[0].name === "marsh", `tags: ${JSON.stringify(all)}`);
  want((await we.getTag("marsh")).data.following, "the tag");
  want(!(await we.unfollowTag("marsh")).data.following, "following no more");
});

await step("scheduled statuses", async () => {
  const planned = (await we.postStatus("later", { scheduled_at: new Date(Date.now() + 3600e3).toISOString() })).data;
  const moved = (await we.scheduleStatus(planned.id, new Date(Date.now() + 7200e3).toISOString())).data;
  want(moved.scheduled_at > planned.scheduled_at && moved.params.text === "later", `moved: ${JSON.stringify(moved)}`);
  const all = (await we.getScheduledStatuses()).data;
  want(all.length === 1 && all[0].id === planned.id, `what is scheduled: ${JSON.stringify(all)}`);
  want((await we.getScheduledStatus(planned.id)).data.id === planned.id, "by its id");
  await we.cancelScheduledStatus(planned.id);
  want((await we.getScheduledStatuses()).data.length === 0, "after it was deleted");
});

await step("poll", async () => {
  const asked = (await them.postStatus("which?", { poll: { options: ["left", "right", "both"], expires_in: 600, multiple: true, hide_totals: true } })).data;
  const voted = (await we.votePoll(asked.poll.id, [0, 2])).data;
  equal(voted.votes_count, 2, "votes");
  const seen = (await we.getPoll(asked.poll.id)).data;
  want(seen.voted && seen.multiple && seen.options.every((o) => o.votes_count === null), `the poll after the vote: ${JSON.stringify(seen)}`);
  await them.deleteStatus(asked.id);
});

await step("edit", async () => {
  const status = (await them.postStatus("before")).data;
  equal((await them.getStatusSource(status.id)).data.text, "before", "source");
  const now = (await them.editStatus(status.id, { status: "after", spoiler_text: "changed", sensitive: true })).data;
  want(now.id === status.id && now.edited_at && now.sensitive && now.content.includes("after"), `the edited status: ${JSON.stringify(now)}`);
  const history = (await we.client.get(`/api/v1/statuses/${status.id}/history`)).data;
  want(history.length === 2 && history[0].content.includes("before"), `the history: ${JSON.stringify(history)}`);
  await them.deleteStatus(status.id);
});

await step("quote", async () => {
  const status = (await them.postStatus("words")).data;
  const quote = (await we.postStatus("see", { quote_id: status.id })).data;
  want(quote.quote.state === "accepted" && quote.quote.quoted_status.id === status.id, `the quote: ${JSON.stringify(quote)}`);
  want(quote.quote_approval.current_user === "automatic", `who may quote: ${JSON.stringify(quote.quote_approval)}`);
  await eventually("the notification of the quote", async () => {
    const [n] = (await them.getNotifications({ limit: 1 })).data;
    return n?.type === "quote" && n.status.id === quote.id;
  });
  await them.client.post(`/api/v1/statuses/${status.id}/quotes/${quote.id}/revoke`);
  const revoked = (await we.getStatus(quote.id)).data.quote;
  want(revoked.state === "revoked" && !revoked.quoted_status, `the quote that was taken back: ${JSON.stringify(revoked)}`);
  await we.deleteStatus(quote.id);
  await them.deleteStatus(status.id);
});

await step("custom emoji", async () => {
  const [emoji] = (await we.getInstanceCustomEmojis()).data;
  want(emoji.shortcode === "dot" && emoji.visible_in_picker, `the emoji: ${JSON.stringify(emoji)}`);
  const status = (await we.postStatus("with :dot:")).data;
  want(status.emojis[0]?.shortcode === "dot", `the status: ${JSON.stringify(status)}`);
  await we.deleteStatus(status.id);
});

await step("announcement with a reaction", async () => {
  const [announcement] = (await we.getInstanceAnnouncements()).data;
  await we.addReactionToAnnouncement(announcement.id, "dot");
  const [told] = (await we.getInstanceAnnouncements()).data[0].reactions;
  want(told.name === "dot" && told.me, `the reaction: ${JSON.stringify(told)}`);
  await we.removeReactionFromAnnouncement(announcement.id, "dot");
  await we.dismissInstanceAnnouncement(announcement.id);
  equal((await we.getInstanceAnnouncements()).data.length, 0, "announcements that are not read");
});

await step("translation and preview of a link", async () => {
  const status = (await them.postStatus(`Guten Abend ${page}`, { language: "de" })).data;
  const translation = (await we.client.post(`/api/v1/statuses/${status.id}/translate`, { lang: "en" })).data;
  want(translation.content.includes("EN: Guten Abend"), `the translation: ${JSON.stringify(translation)}`);
  const card = await eventually("the card", async () => (await we.getStatus(status.id)).data.card);
  want(card.title === "A page" && card.url === page && card.image, `the card: ${JSON.stringify(card)}`);
  await them.deleteStatus(status.id);
});

await step("boost and take back", async () => {
  equal((await we.reblogStatus(posted[0])).data.reblog.id, posted[0], "boosted");
  await eventually("the count", async () => (await we.getStatus(posted[0])).data.reblogs_count === 1);
  await we.unreblogStatus(posted[0]);
  await eventually("the count taken back", async () => {
    const status = (await we.getStatus(posted[0])).data;
    return status.reblogs_count === 0 && !status.reblogged;
  });
});

await step("favourite", async () => {
  want((await we.favouriteStatus(posted[1])).data.favourited, "not favourited");
  await eventually("the favourite in the list", async () => {
    return (await we.getFavourites()).data.some((s) => s.id === posted[1]);
  });
});

let list;
await step("list: create, add, read", async () => {
  list = (await we.createList("Friends")).data;
  await we.addAccountsToList(list.id, [friend.id]);
  equal((await we.getAccountsInList(list.id)).data[0]?.id, friend.id, "member");
  const fresh = (await them.postStatus("for the list")).data;
  await eventually("the new status in the list", async () => {
    return (await we.getListTimeline(list.id)).data.some((s) => s.id === fresh.id);
  });
});

await step("Top: read-only, fed by votes, streams", async () => {
  await fetch(`${url}/api/v1/linnet/lists`, {
    method: "PATCH", body: '{"top": true}', headers: { Authorization: `Bearer ${token.access_token}`, "Content-Type": "application/json" },
  });
  const top = (await we.getLists()).data.find((l) => l.title === "Top");
  want(top, "there is no list Top");
  const socket = await we.listStreaming(top.id);
  await within(new Promise((resolve) => socket.once("connect", resolve)), "the stream of the list");
  const told = new Promise((resolve) => socket.once("update", resolve));
  const good = (await them.postStatus("for the Top")).data;
  await we.favouriteStatus(good.id);
  await we.reblogStatus(good.id);
  await we.postStatus("yes", { in_reply_to_id: good.id });
  const promotion = await within(told, "the promotion");
  equal(promotion.reblog?.id, good.id, "what is promoted");
  socket.stop();
  equal((await we.getListTimeline(top.id)).data[0]?.id, promotion.id, "newest of the list");
  equal((await we.getListTimeline(top.id, { max_id: promotion.id })).data.length, 0, "older ones");
  const refused = await we.updateList(top.id, "Mine").then(() => 200, (e) => e.response.status);
  equal(refused, 403, "code of a change");
});

await step("Catch-up: a list for those who ask, max_id is a rank", async () => {
  await fetch(`${url}/api/v1/linnet/lists`, {
    method: "PATCH", body: '{"catch_up": true}', headers: { Authorization: `Bearer ${token.access_token}`, "Content-Type": "application/json" },
  });
  const catchUp = (await we.getLists()).data.find((l) => l.title === "Catch-up");
  want(catchUp, "there is no list Catch-up");
  const first = (await we.getListTimeline(catchUp.id, { limit: 2 })).data;
  equal(first.length, 2, "entries");
  const rest = (await we.getListTimeline(catchUp.id, { max_id: first[1].id, limit: 40 })).data;
  want(rest.length > 0 && rest.every((s) => s.id !== first[0].id && s.id !== first[1].id), "what is below comes once");
});

await step("notifications", async () => {
  await them.favouriteStatus(mine.id);
  await eventually("mention and favourite", async () => {
    const types = (await we.getNotifications()).data.map((n) => n.type);
    return types.includes("mention") && types.includes("favourite");
  });
});

await step("markers", async () => {
  const saved = (await we.saveMarkers({ home: { last_read_id: mine.id } })).data;
  equal(saved.home.last_read_id, mine.id, "saved");
  const kept = (await we.getMarkers(["home"])).data;
  equal(kept.home.last_read_id, mine.id, "kept");
});

await step("conversations", async () => {
  const direct = (await them.postStatus(`@${user} in private`, { visibility: "direct" })).data;
  const [talk] = await eventually("the conversation", async () => {
    const all = (await we.getConversationTimeline()).data;
    return all.length === 1 && all;
  });
  equal(talk.accounts[0]?.id, friend.id, "with whom");
  equal(talk.last_status.id, direct.id, "last status");
  want(talk.unread && !(await we.readConversation(talk.id)).data.unread, "reading changed nothing");
  const socket = await we.directStreaming();
  await within(new Promise((resolve) => socket.once("connect", resolve)), "the stream of conversations");
  const told = new Promise((resolve) => socket.once("conversation", resolve));
  const again = (await them.postStatus(`@${user} again`, { visibility: "direct" })).data;
  equal((await within(told, "the event")).last_status.id, again.id, "last status of the event");
  socket.stop();
  await we.deleteConversation(talk.id);
  equal((await we.getConversationTimeline()).data.length, 0, "conversations left");
});

await step("streaming", async () => {
  const once = (emitter, name) => new Promise((resolve, reject) => {
    emitter.once(name, resolve);
    emitter.once("error", reject);
    emitter.once("parser-error", reject);
  });
  // Waits for each stream as soon as it exists. Opening the second one takes a request,
  // and the first one can connect meanwhile.
  const socket = await we.userStreaming();
  await within(once(socket, "connect"), "the stream of the user");
  const tagged = await we.tagStreaming(tag);
  await within(once(tagged, "connect"), "the stream of the tag");
  const events = Promise.all([once(socket, "update"), once(socket, "notification"), once(tagged, "update")]);
  const began = performance.now();
  const live = (await them.postStatus(`live @${user} #${tag}`)).data;
  const [update, notification, ofTag] = await within(events, "the events");
  const took = Math.round(performance.now() - began);
  equal(update.id, live.id, "update");
  equal(notification.status.id, live.id, "notification");
  equal(ofTag.id, live.id, "update of the tag");
  const deleted = within(once(socket, "delete"), "the delete event");
  await them.deleteStatus(live.id);
  equal(await deleted, live.id, "deleted id");
  socket.stop();
  tagged.stop();
  return `${took} ms`;
});

await step("filters", async () => {
  const filter = (await we.createFilter("punny", ["home", "thread"], { whole_word: true })).data;
  equal(filter.phrase, "punny", "phrase");
  equal((await we.getFilters()).data[0]?.id, filter.id, "filters");
  const funny = (await them.postStatus("How PUNNY!")).data;
  await eventually("the filtered status at home", async () => {
    const status = (await we.getHomeTimeline({ limit: 40 })).data.find((s) => s.id === funny.id);
    return status !== undefined;
  });
  equal((await we.updateFilter(filter.id, "pun", ["home"])).data.phrase, "pun", "changed phrase");
  await we.deleteFilter(filter.id);
  equal((await we.getFilters()).data.length, 0, "filters left");
});

await step("group: find, join, post, read, leave", async () => {
  const name = `public_${tag}`;
  const group = await found("public", name);
  const account = await eventually("the group found", async () => {
    return (await we.search(name, { type: "accounts" })).data.accounts.find((a) => a.acct === name);
  });
  want(account.group, "the account is no group");
  want((await we.followAccount(account.id)).data.following, "not joined");
  const list = (await we.getLists()).data.find((l) => l.title === `@${name}`);
  equal(list?.id, `9${group.id}`, "id of the group's list");
  const said = (await we.postStatus(`@${name} good morning`)).data;
  await eventually("the post in the list", async () => (await we.getListTimeline(list.id)).data[0]?.reblog?.id === said.id);
  want(!(await we.unfollowAccount(account.id)).data.following, "not left");
  want(!(await we.getLists()).data.some((l) => l.id === list.id), "the list is shown after leaving");
});

await step("chat: come in, hear, answer", async () => {
  const name = `mega_chat_${tag}`.toLowerCase().slice(0, 30);
  const chat = await found("chat", name, [me.id]);
  want((await we.followAccount(chat.account_id)).data.following, "not come in");
  const said = (await them.postStatus(`@${name} only for us`, { visibility: "direct" })).data;
  await eventually("a conversation for the other", async () => {
    return (await we.getConversationTimeline()).data.some((c) => c.last_status?.id === said.id && c.unread);
  });
  const answer = (await we.postStatus(`@${name} as ever`, { visibility: "direct", in_reply_to_id: said.id })).data;
  await eventually("both in the chat's list", async () => {
    const list = (await them.getListTimeline(`9${chat.id}`)).data;
    return list.length === 2 && list[0].id === answer.id && list[1].id === said.id;
  });
});

await step("trends, suggestions, directory", async () => {
  const [first] = (await we.getInstanceTrends(1)).data;
  equal(first.name, trend.tag, "tag");
  want(first.history.length === 7 && first.history.some((day) => day.accounts === "4"), `history ${JSON.stringify(first.history)}`);
  const talker = (await them.search(trend.talker, { type: "accounts" })).data.accounts[0];
  await them.followAccount(talker.id);
  want((await we.getSuggestions()).data.some((a) => a.id === talker.id), "who is followed by the friend is not suggested");
  want((await them.updateCredentials({ discoverable: true })).data.discoverable, "not discoverable");
  const listed = (await we.getInstanceDirectory({ order: "new", local: true, limit: 80 })).data;
  want([talker.id, friend.id].every((id) => listed.some((a) => a.id === id)), "not in the directory");
});

await step("pin, note, endorse", async () => {
  want((await we.pinStatus(mine.id)).data.pinned, "not pinned");
  want(!(await we.unpinStatus(mine.id)).data.pinned, "still pinned");
  equal((await we.setAccountNote(friend.id, "met at a session")).data.note, "met at a session", "note");
  want((await we.pinAccount(friend.id)).data.endorsed, "not endorsed");
  equal((await we.getEndorsements()).data[0]?.id, friend.id, "endorsed");
  want(!(await we.unpinAccount(friend.id)).data.endorsed, "still endorsed");
});

await step("locked account: request, accept, reject", async () => {
  want((await we.updateCredentials({ locked: true })).data.locked, "not locked");
  for (const letIn of [false, true]) {
    want((await them.followAccount(me.id)).data.requested, "not requested");
    await eventually("the request", async () => (await we.getFollowRequests()).data.some((a) => a.id === friend.id));
    const answer = letIn ? await we.acceptFollowRequest(friend.id) : await we.rejectFollowRequest(friend.id);
    equal(answer.data.followed_by, letIn, "followed by who asked");
    await eventually("the answer", async () => {
      const relationship = (await them.getRelationship(me.id)).data;
      return !relationship.requested && relationship.following === letIn;
    });
  }
  want(!(await we.updateCredentials({ locked: false })).data.locked, "still locked");
});

await step("report", async () => {
  const filed = (await them.report(me.id, { status_ids: [mine.id], comment: "odd" })).data;
  equal(filed.target_account.id, me.id, "reported account");
});

await step("mute and block", async () => {
  const muted = (await we.muteAccount(friend.id, true)).data;
  want(muted.muting && muted.muting_notifications, "not muted");
  equal((await we.getMutes()).data[0]?.id, friend.id, "muted");
  want(!(await we.unmuteAccount(friend.id)).data.muting, "still muted");
  const blocked = (await we.blockAccount(friend.id)).data;
  want(blocked.blocking && !blocked.following, "not blocked, or still followed");
  equal((await we.getBlocks()).data[0]?.id, friend.id, "blocked");
  await eventually("nothing to see for who is blocked", async () => {
    const seen = await them.getStatus(mine.id).catch((error) => error);
    return seen.response?.status === 404;
  });
  want(!(await we.unblockAccount(friend.id)).data.blocking, "still blocked");
});

await step("delete", async () => {
  await we.deleteStatus(mine.id);
  const gone = await we.getStatus(mine.id).catch((error) => error);
  equal(gone.response?.status, 404, "code of the deleted status");
});

await step("log out", async () => {
  await we.revokeToken(app.client_id, app.client_secret, token.access_token);
  const refused = await we.verifyAccountCredentials().catch((error) => error);
  equal(refused.response?.status, 401, "code after revocation");
});

done();
