// A session with masto.js: https://github.com/neet/masto.js
import { askCode, done, dot, equal, eventually, found, other, otherToken, page, pause, staffToken, step, trend, url, user, want, within } from "./session.mjs";
import { createHash, randomBytes } from "node:crypto";
import { createOAuthAPIClient, createRestAPIClient, createStreamingAPIClient } from "masto";

const redirectUri = "https://client.example/callback";
const scopes = "read write follow push";
const tag = `masto${process.pid}`;
let app, me, friend, mine, stream;
const them = createRestAPIClient({ url, accessToken: otherToken });

await step("instance", async () => {
  const instance = await createRestAPIClient({ url }).v2.instance.fetch();
  stream = instance.configuration.urls.streaming;
  want(/^\d+\.\d+\.\d+/.test(instance.version), `version ${instance.version}`);
  want(instance.apiVersions.mastodon >= 7, `version ${JSON.stringify(instance.apiVersions)} of the API`);
  return instance.version;
});

await step("register the app", async () => {
  app = await createRestAPIClient({ url }).v1.apps.create({ clientName: "masto.js", redirectUris: [redirectUri], scopes });
  want(app.clientId && app.clientSecret, "no client id or secret");
});

let token;
await step("log in with PKCE and a redirect", async () => {
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    client_id: app.clientId, redirect_uri: redirectUri, response_type: "code", scope: scopes, state: "a state & more",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"), code_challenge_method: "S256",
  });
  const code = await askCode(`${url}/oauth/authorize?${query}`);
  token = await createOAuthAPIClient({ url }).token.create({
    grantType: "authorization_code", clientId: app.clientId, clientSecret: app.clientSecret, redirectUri, code,
    codeVerifier: verifier, scope: scopes,
  });
  equal(token.tokenType, "Bearer", "token type");
});
const we = createRestAPIClient({ url, accessToken: token.accessToken });

await step("verify_credentials", async () => {
  me = await we.v1.accounts.verifyCredentials();
  equal(me.username, user, "user name");
});

await step("edit the profile", async () => {
  const changed = await we.v1.accounts.updateCredentials({ displayName: "Masto Ünït", note: "tested by masto.js" });
  equal(changed.displayName, "Masto Ünït", "display name");
});

await step("sign up by the API", async () => {
  const ours = await createOAuthAPIClient({ url }).token.create({
    grantType: "client_credentials", clientId: app.clientId, clientSecret: app.clientSecret, redirectUri, scope: "read write",
  });
  const guest = createRestAPIClient({ url, accessToken: ours.accessToken });
  const username = `new_${process.pid}`;
  const signedUp = await guest.v1.accounts.create({
    username, email: `${username}@client.example`, password: "a long enough passphrase", agreement: true, locale: "en",
  });
  const account = await createRestAPIClient({ url, accessToken: signedUp.accessToken }).v1.accounts.verifyCredentials();
  equal(account.username, username, "user name");
});

await step("look up and follow", async () => {
  friend = await we.v1.accounts.lookup({ acct: other });
  const relationship = await we.v1.accounts.$select(friend.id).follow();
  want(relationship.following, "not following");
  const [same] = await we.v1.accounts.relationships.fetch({ id: [friend.id] });
  want(same.following, "relationships does not say so");
});

const posted = [];
await step("home, page by page to the end", async () => {
  for (let i = 0; i < 25; i++) {
    posted.push((await them.v1.statuses.create({ status: `masto ${i} #${tag}`, visibility: "public" })).id);
  }
  const pages = await eventually("all 25 statuses at home", async () => {
    const seen = [];
    let pages = 0;
    for await (const page of we.v1.timelines.home.list({ limit: 10 })) {
      pages++;
      seen.push(...page.map((s) => s.id));
      want(pages < 20, "home does not end");
    }
    equal(new Set(seen).size, seen.length, "statuses that came once");
    want(seen.every((id, i) => i === 0 || BigInt(seen[i - 1]) > BigInt(id)), "not newest first");
    return posted.every((id) => seen.includes(id)) && pages;
  });
  return `${pages} pages`;
});

await step("post", async () => {
  mine = await we.v1.statuses.create({ status: `hello @${other} #${tag}`, visibility: "public", spoilerText: "warned" });
  want(mine.content.includes(tag), "content without tag");
  equal(mine.mentions[0]?.id, friend.id, "mention");
  equal(mine.spoilerText, "warned", "warning");
});

await step("pictures", async () => {
  const picture = await we.v2.media.create({ file: new File([dot], "dot.png"), description: "a point" });
  equal(picture.type, "image", "type");
  equal(picture.meta.original.width, 1, "width");
  const changed = await we.v1.media.$select(picture.id).update({ description: "a red point", focus: "0.5,0" });
  equal(changed.description, "a red point", "description");
  const long = "ä".repeat(10_000);
  equal((await we.v1.media.$select(picture.id).update({ description: long })).description, long, "description of 10,000 characters");
  const shown = await we.v1.statuses.create({ status: "look", mediaIds: [picture.id], visibility: "public" });
  equal(shown.mediaAttachments[0]?.id, picture.id, "the picture of the status");
  equal((await fetch(shown.mediaAttachments[0].url)).headers.get("content-type"), "image/png", "kind of the file");
  const me = await we.v1.accounts.updateCredentials({ avatar: new File([dot], "dot.png") });
  want(me.avatar.includes("/media/"), "the avatar is not the one that was sent");
  await we.v1.statuses.$select(shown.id).remove();
});

await step("reply and context", async () => {
  const reply = await them.v1.statuses.create({ status: `@${user} indeed`, inReplyToId: mine.id });
  equal(reply.inReplyToId, mine.id, "in reply to");
  await eventually("the reply in the context", async () => {
    const context = await we.v1.statuses.$select(mine.id).context.fetch();
    return context.descendants.some((s) => s.id === reply.id);
  });
});

await step("followed tags", async () => {
  equal((await we.v1.tags.$select("marsh").follow()).following, true, "following");
  const said = await them.v1.statuses.create({ status: "reeds in the #Marsh" });
  want((await we.v1.timelines.home.list()).some((s) => s.id === said.id), "the post with the tag is not at home");
  const all = await we.v1.followedTags.list();
  want(all.length === 1 && all[0].name === "marsh" && all[0].following, `tags: ${JSON.stringify(all)}`);
  equal((await we.v1.tags.$select("marsh").unfollow()).following, false, "following no more");
});

await step("featured tags", async () => {
  equal((await we.v1.tags.$select("reeds").feature()).featuring, true, "featuring");
  const all = await we.v1.featuredTags.list();
  want(all.length === 1 && all[0].name === "reeds", `tags: ${JSON.stringify(all)}`);
  equal((await we.v1.tags.$select("reeds").unfeature()).featuring, false, "featuring no more");
  equal((await we.v1.annualReports.list()).annualReports.length, 0, "reports of years");
});

await step("scheduled statuses", async () => {
  const at = new Date(Date.now() + 3600e3).toISOString();
  const planned = await we.v1.statuses.create({ status: "later", visibility: "unlisted", scheduledAt: at });
  equal(planned.scheduledAt, at, "time");
  equal(planned.params.text, "later", "text");
  const later = new Date(Date.now() + 7200e3).toISOString();
  const moved = await we.v1.scheduledStatuses.$select(planned.id).update({ scheduledAt: later });
  equal(moved.scheduledAt, later, "new time");
  const all = await we.v1.scheduledStatuses.list();
  want(all.length === 1 && all[0].id === planned.id, `what is scheduled: ${JSON.stringify(all)}`);
  equal((await we.v1.scheduledStatuses.$select(planned.id).fetch()).params.visibility, "unlisted", "visibility");
  await we.v1.scheduledStatuses.$select(planned.id).remove();
  equal((await we.v1.scheduledStatuses.list()).length, 0, "after it was deleted");
});

await step("poll", async () => {
  const asked = await them.v1.statuses.create({ status: "when?", poll: { options: ["now", "later"], expiresIn: 300 } });
  equal(asked.poll.options.length, 2, "options");
  const voted = await we.v1.polls.$select(asked.poll.id).votes.create({ choices: [1] });
  equal(voted.votesCount, 1, "votes");
  const seen = await we.v1.polls.$select(asked.poll.id).fetch();
  want(seen.voted && seen.ownVotes[0] === 1 && !seen.expired, `the poll after the vote: ${JSON.stringify(seen)}`);
  const gone = await them.v1.statuses.$select(asked.id).remove();
  equal(gone.poll.options[0].title, "now", "option to redraft");
});

await step("edit", async () => {
  const status = await them.v1.statuses.create({ status: "before" });
  await we.v1.statuses.$select(status.id).reblog();
  equal((await them.v1.statuses.$select(status.id).source.fetch()).text, "before", "source");
  const now = await them.v1.statuses.$select(status.id).update({ status: "after", spoilerText: "changed" });
  want(now.id === status.id && now.editedAt && now.content.includes("after"), `the edited status: ${JSON.stringify(now)}`);
  const history = await we.v1.statuses.$select(status.id).history.list();
  want(history.length === 2 && history[0].content.includes("before") && history[1].spoilerText === "changed", `the history: ${JSON.stringify(history)}`);
  await eventually("the notification of the edit", async () => {
    const [n] = await we.v1.notifications.list({ limit: 1 });
    return n?.type === "update" && n.status.id === status.id;
  });
  await them.v1.statuses.$select(status.id).remove();
});

await step("quote", async () => {
  const status = await them.v1.statuses.create({ status: "words", quoteApprovalPolicy: "public" });
  const { quoteApproval } = await we.v1.statuses.$select(status.id).fetch();
  want(quoteApproval.currentUser === "automatic" && quoteApproval.automatic[0] === "public", `who may quote: ${JSON.stringify(quoteApproval)}`);
  const quote = await we.v1.statuses.create({ status: "see", quotedStatusId: status.id });
  want(quote.quote.state === "accepted" && quote.quote.quotedStatus.id === status.id, `the quote: ${JSON.stringify(quote)}`);
  await eventually("the quote in the list", async () => {
    const quotes = await them.v1.statuses.$select(status.id).quotes.list();
    return quotes.length === 1 && quotes[0].id === quote.id && (await we.v1.statuses.$select(status.id).fetch()).quotesCount === 1;
  });
  await eventually("the notification of the quote", async () => {
    const [n] = await them.v1.notifications.list({ limit: 1 });
    return n?.type === "quote" && n.status.id === quote.id;
  });
  const shut = await them.v1.statuses.create({ status: "not to be quoted", quoteApprovalPolicy: "nobody" });
  const refused = await we.v1.statuses.create({ status: "see", quotedStatusId: shut.id }).catch((error) => error);
  equal(refused.statusCode, 403, "code of a quote that its author does not want");
  await them.v1.statuses.$select(status.id).remove();
  equal((await we.v1.statuses.$select(quote.id).fetch()).quote.state, "deleted", "what was quoted");
  await we.v1.statuses.$select(quote.id).remove();
  await them.v1.statuses.$select(shut.id).remove();
});

await step("custom emoji", async () => {
  const [emoji] = await we.v1.customEmojis.list();
  want(emoji.shortcode === "dot" && emoji.category === "Points" && emoji.visibleInPicker, `the emoji: ${JSON.stringify(emoji)}`);
  const status = await we.v1.statuses.create({ status: "with :dot:" });
  want(status.content.includes(":dot:") && status.emojis[0]?.url === emoji.url, `the status: ${JSON.stringify(status)}`);
  await we.v1.statuses.$select(status.id).remove();
});

await step("announcement with a reaction", async () => {
  const [announcement] = await we.v1.announcements.list();
  want(announcement.content.includes("Welcome") && !announcement.read, `the announcement: ${JSON.stringify(announcement)}`);
  const chosen = we.v1.announcements.$select(announcement.id);
  await chosen.reactions.$select("dot").update();
  const [told] = (await we.v1.announcements.list())[0].reactions;
  want(told.name === "dot" && told.me && told.url, `the reaction: ${JSON.stringify(told)}`);
  await chosen.reactions.$select("dot").remove();
  equal((await we.v1.announcements.list())[0].reactions.length, 0, "reactions after it was taken back");
  await chosen.dismiss();
  equal((await we.v1.announcements.list()).length, 0, "announcements that are not read");
  want((await we.v1.announcements.list({ withDismissed: true }))[0].read, "not read");
});

await step("translation", async () => {
  want((await we.v2.instance.fetch()).configuration.translation.enabled, "the server does not say that it translates");
  const status = await them.v1.statuses.create({ status: "Guten Morgen", language: "de" });
  const translation = await we.v1.statuses.$select(status.id).translate({ lang: "en" });
  want(translation.content.includes("EN: Guten Morgen") && translation.detectedSourceLanguage === "de", `the translation: ${JSON.stringify(translation)}`);
  await them.v1.statuses.$select(status.id).remove();
});

await step("preview of a link", async () => {
  const status = await them.v1.statuses.create({ status: `see ${page}` });
  const card = await eventually("the card", async () => (await we.v1.statuses.$select(status.id).fetch()).card);
  want(card.type === "link" && card.url === page && card.title === "A page" && card.description === "About points" && card.image && card.blurhash, `the card: ${JSON.stringify(card)}`);
  await them.v1.statuses.$select(status.id).remove();
});

await step("boost", async () => {
  const boost = await we.v1.statuses.$select(posted[0]).reblog();
  equal(boost.reblog.id, posted[0], "boosted");
  await eventually("the boost's count", async () => {
    const status = await we.v1.statuses.$select(posted[0]).fetch();
    return status.reblogged && status.reblogsCount === 1;
  });
  const by = await we.v1.statuses.$select(posted[0]).rebloggedBy.list();
  equal(by[0]?.id, me.id, "boosted by");
});

await step("favourite and take back", async () => {
  want((await we.v1.statuses.$select(posted[1]).favourite()).favourited, "not favourited");
  await eventually("the favourite in the list", async () => {
    return (await we.v1.favourites.list()).some((s) => s.id === posted[1]);
  });
  want(!(await we.v1.statuses.$select(posted[1]).unfavourite()).favourited, "still favourited");
});

let list;
await step("list: create, add, read", async () => {
  list = await we.v1.lists.create({ title: "Friends", repliesPolicy: "list" });
  await we.v1.lists.$select(list.id).accounts.create({ accountIds: [friend.id] });
  equal((await we.v1.lists.$select(list.id).accounts.list())[0]?.id, friend.id, "member");
  const fresh = await them.v1.statuses.create({ status: "for the list" });
  await eventually("the new status in the list", async () => {
    return (await we.v1.timelines.list.$select(list.id).list()).some((s) => s.id === fresh.id);
  });
});

await step("Top: read-only, fed by votes", async () => {
  want(!(await we.v1.lists.list()).some((l) => l.title === "Top"), "Top is there before anybody has asked for it");
  await fetch(`${url}/api/v1/linnet/lists`, {
    method: "PATCH", body: '{"top": true}',
    headers: { Authorization: `Bearer ${token.accessToken}`, "Content-Type": "application/json" },
  });
  const top = (await we.v1.lists.list()).find((l) => l.title === "Top");
  want(top, "there is no list Top");
  const good = await them.v1.statuses.create({ status: "for the Top" });
  await we.v1.statuses.$select(good.id).favourite();
  await we.v1.statuses.$select(good.id).reblog();
  await we.v1.statuses.create({ status: "yes", inReplyToId: good.id });
  const promotion = await eventually("the promotion", async () => {
    return (await we.v1.timelines.list.$select(top.id).list({ limit: 5 })).find((s) => s.reblog?.id === good.id);
  });
  equal((await we.v1.statuses.$select(promotion.id).fetch()).reblog.id, good.id, "what the id is of");
  equal((await we.v1.timelines.list.$select(top.id).list({ maxId: promotion.id })).length, 0, "older ones");
  const refused = await we.v1.lists.$select(top.id).update({ title: "Mine" }).then(() => 200, (e) => e.statusCode);
  equal(refused, 403, "code of a change");
});

await step("Catch-up: a list for those who ask, page by page to the end", async () => {
  const asked = await fetch(`${url}/api/v1/linnet/lists`, {
    method: "PATCH", body: '{"catch_up": true}',
    headers: { Authorization: `Bearer ${token.accessToken}`, "Content-Type": "application/json" },
  });
  equal((await asked.json()).catch_up, true, "is shown");
  const catchUp = (await we.v1.lists.list()).find((l) => l.title === "Catch-up");
  want(catchUp, "there is no list Catch-up");
  const seen = [];
  for await (const page of we.v1.timelines.list.$select(catchUp.id).list({ limit: 10 })) {
    seen.push(...page);
    want(seen.length <= 400, "it does not end");
  }
  equal(new Set(seen.map((s) => s.id)).size, seen.length, "statuses that came once");
  want(posted.every((id) => seen.some((s) => s.id === id)), "something is missing");
  want(seen[0].favouritesCount + seen[0].reblogsCount > 0, "the first has no votes");
});

await step("hashtag and public timelines", async () => {
  await eventually("the tagged status", async () => {
    return (await we.v1.timelines.tag.$select(tag).list()).some((s) => s.id === mine.id);
  });
  await eventually("the public status", async () => {
    return (await we.v1.timelines.public.list({ limit: 40 })).some((s) => s.id === mine.id);
  });
});

await step("notifications", async () => {
  await them.v1.statuses.$select(mine.id).favourite();
  await eventually("mention and favourite", async () => {
    const types = (await we.v1.notifications.list()).map((n) => n.type);
    return types.includes("mention") && types.includes("favourite");
  });
});

await step("markers and unread notifications", async () => {
  const [newest] = await we.v1.notifications.list({ limit: 1 });
  want((await we.v1.notifications.unreadCount.fetch()).count > 0, "nothing unread");
  const saved = await we.v1.markers.create({ home: { lastReadId: mine.id }, notifications: { lastReadId: newest.id } });
  equal(saved.home.lastReadId, mine.id, "saved");
  const kept = await we.v1.markers.fetch({ timeline: ["home", "notifications"] });
  equal(kept.notifications.lastReadId, newest.id, "kept");
  equal((await we.v1.notifications.unreadCount.fetch()).count, 0, "unread above the newest");
});

await step("conversations: list, read, page, delete", async () => {
  const first = await them.v1.statuses.create({ status: `@${user} in private`, visibility: "direct" });
  await we.v1.statuses.create({ status: "a note to myself", visibility: "direct" });
  const [mineAlone, withFriend] = await eventually("two conversations", async () => {
    const all = [];
    for await (const page of we.v1.conversations.list({ limit: 1 })) all.push(...page);
    return all.length === 2 && all;
  });
  equal(mineAlone.accounts[0]?.id, me.id, "whom a note is shown with");
  equal(withFriend.accounts.map((a) => a.id).join(), friend.id, "the others");
  equal(withFriend.lastStatus.id, first.id, "last status");
  want(withFriend.unread, "it is not unread");
  want(!(await we.v1.conversations.$select(withFriend.id).read()).unread, "it is still unread");
  await we.v1.conversations.$select(withFriend.id).remove();
  equal((await we.v1.conversations.list()).length, 1, "conversations after one was deleted");
  equal((await them.v1.conversations.list()).length, 1, "conversations of the other");
});

await step("filters", async () => {
  const filter = await we.v2.filters.create({
    title: "Puns", context: ["home", "public"], filterAction: "warn", expiresIn: 600,
    keywordsAttributes: [{ keyword: "punny", wholeWord: "true" }],
  });
  equal(filter.keywords[0]?.keyword, "punny", "keyword");
  const more = await we.v2.filters.$select(filter.id).keywords.create({ keyword: "fun", wholeWord: false });
  equal((await we.v2.filters.$select(filter.id).keywords.list()).length, 2, "keywords");
  await we.v2.filters.keywords.$select(more.id).remove();
  const funny = await them.v1.statuses.create({ status: "How PUNNY!" });
  await eventually("the filtered status at home", async () => {
    const status = (await we.v1.timelines.home.list()).find((s) => s.id === funny.id);
    return status?.filtered[0]?.filter.title === "Puns" && status.filtered[0].keywordMatches[0] === "punny";
  });
  const held = await we.v2.filters.$select(filter.id).statuses.create({ statusId: posted[2] });
  equal(held.statusId, posted[2], "status");
  equal((await we.v2.filters.list())[0].statuses[0].id, held.id, "statuses");
  await we.v2.filters.$select(filter.id).update({ title: "No puns", context: ["thread"] });
  equal((await we.v2.filters.$select(filter.id).fetch()).title, "No puns", "title");
  await we.v2.filters.$select(filter.id).remove();
  equal((await we.v2.filters.list()).length, 0, "filters");
});

await step("search", async () => {
  const found = await we.v2.search.list({ q: other, resolve: true });
  want(found.accounts.some((a) => a.id === friend.id), "account not found");
  const tags = await we.v2.search.list({ q: `#${tag}`, type: "hashtags" });
  want(tags.hashtags.some((t) => t.name.toLowerCase() === tag), "tag not found");
});

await step("trends", async () => {
  const guest = createRestAPIClient({ url });
  const used = ({ history }) => history.length === 7 && history.some((day) => day.accounts === "4" && day.uses === "4");
  const [tagged] = await guest.v1.trends.tags.list({ limit: 1 });
  want(tagged.name === trend.tag && used(tagged) && tagged.url.endsWith(`/tags/${trend.tag}`), `tag ${JSON.stringify(tagged)}`);
  const [link] = await guest.v1.trends.links.list();
  want(link.url === trend.link && used(link) && link.type === "link", `link ${JSON.stringify(link)}`);
  equal(link.providerName, "news.example", "whose link");
  equal((await guest.v1.timelines.link.list({ url: link.url })).length, 4, "posts about the link");
  const statuses = await we.v1.trends.statuses.list();
  equal(statuses.map((s) => s.id).join(), trend.status, "statuses");
  equal(statuses[0].favourited, false, "favoured by us");
});

await step("trends and tags of staff", async () => {
  const { trends, tags } = createRestAPIClient({ url, accessToken: staffToken }).v1.admin;
  const links = () => createRestAPIClient({ url }).v1.trends.links.list();
  const publisher = (await trends.links.publishers.list()).find((p) => p.domain === "news.example");
  equal(publisher.trendable, true, "trendable");
  const chosen = trends.links.publishers.$select(publisher.id);
  equal((await chosen.reject()).trendable, false, "trendable after the rejection");
  await eventually("no trending link of the publisher", async () => (await links()).length === 0);
  equal((await chosen.approve()).trendable, true, "trendable after the approval");
  await eventually("the trending link", async () => (await links())[0]?.url === trend.link);
  // The library has no types for tags, but builds the address from the names.
  const marsh = tags.$select(`marsh${tag}`);
  equal((await marsh.update({ usable: false, listable: false })).usable, false, "usable");
  want((await tags.list()).some((t) => t.name === `marsh${tag}` && !t.usable && !t.listable && t.trendable), "no restricted tag");
  const refused = await them.v1.statuses.create({ status: `#marsh${tag}` }).catch((error) => error);
  equal(refused.statusCode, 422, "code of a post with an unusable tag");
  want((await marsh.update({ usable: true, listable: true })).usable, "still unusable");
  equal((await marsh.fetch()).listable, true, "listable");
  const denied = await createRestAPIClient({ url, accessToken: otherToken }).v1.admin.tags.$select("marsh").fetch().catch((error) => error);
  equal(denied.statusCode, 403, "code for a member");
});

await step("suggestions and directory", async () => {
  const person = await them.v1.accounts.lookup({ acct: trend.talker });
  await them.v1.accounts.$select(person.id).follow();
  const suggested = (await we.v2.suggestions.list()).find((s) => s.account.id === person.id);
  want(suggested?.sources.includes("friends_of_friends"), `suggested: ${JSON.stringify(suggested)}`);
  want((await we.v1.suggestions.list()).some((a) => a.id === person.id), "not suggested by version 1");
  await we.v1.suggestions.$select(person.id).remove();
  want(!(await we.v2.suggestions.list()).some((s) => s.account.id === person.id), "suggested after it was dismissed");
  want((await them.v1.accounts.updateCredentials({ discoverable: true })).discoverable, "not discoverable");
  const listed = await we.v1.directory.list({ order: "new", local: true, limit: 80 });
  want([person.id, friend.id].every((id) => listed.some((a) => a.id === id)), "not in the directory");
  want(BigInt(listed[0].id) > BigInt(listed.at(-1).id), "newest is not first");
});

// repeated acts until an event has arrived, because the library does not report when it has subscribed.
async function repeated(arrival, act) {
  let arrived = false;
  arrival.finally(() => { arrived = true; }).catch(() => {}); // the caller reports an error
  for (let n = 0; !arrived && n < 10; n++) {
    await act(n);
    await Promise.race([arrival, pause(500 * (n + 1))]);
  }
}

await step("streaming: several streams on one socket", async () => {
  const socket = createStreamingAPIClient({ streamingApiUrl: stream, accessToken: token.accessToken });
  const next = async (subscription, wanted) => {
    for await (const event of subscription) if (wanted(event)) return event;
    throw new Error("the stream ended");
  };
  // In capitals, because the frame must contain the tag in the client's spelling.
  const spelt = tag.toUpperCase();
  const all = Promise.all([
    next(socket.user.subscribe(), (e) => e.event === "update" && e.payload.content.includes("live")),
    next(socket.hashtag.subscribe({ tag: spelt }), (e) => e.event === "update"),
    next(socket.list.subscribe({ list: list.id }), (e) => e.event === "update"),
    next(socket.user.notification.subscribe(), (e) => e.event === "notification"),
    next(socket.public.local.subscribe(), (e) => e.event === "update"),
    next(socket.direct.subscribe(), (e) => e.event === "conversation"),
  ]);
  await socket.prepare?.();
  const lives = [], whispers = [], removed = [];
  await repeated(all, async (n) => {
    lives.push((await them.v1.statuses.create({ status: `live ${n} @${user} #${tag}` })).id);
    whispers.push((await them.v1.statuses.create({ status: `psst ${n} @${user}`, visibility: "direct" })).id);
  });
  const [home, tagged, listed, notified, local, talk] = await within(all, "the events");
  for (const event of [home, tagged, listed, local]) want(lives.includes(event.payload.id), `update of another status on ${event.stream}`);
  want([...lives, ...whispers].includes(notified.payload.status.id), "notification of another status");
  want(whispers.includes(talk.payload.lastStatus.id), "conversation with another last status");
  const deleted = next(socket.user.subscribe(), (e) => e.event === "delete");
  await repeated(deleted, async (n) => {
    const { id } = await them.v1.statuses.create({ status: `not for long ${n}` });
    removed.push(id);
    await them.v1.statuses.$select(id).remove();
  });
  want(removed.includes((await within(deleted, "the delete event")).payload), "delete event of another status");
  socket.close();
});

await step("report", async () => {
  const me = await we.v1.accounts.verifyCredentials();
  const filed = await them.v1.reports.create({ accountId: me.id, statusIds: [mine.id], comment: "odd", category: "spam" });
  equal(filed.targetAccount.id, me.id, "reported account");
  equal(filed.statusIds?.[0], mine.id, "reported status");
  const again = await them.v1.reports.create({ accountId: me.id, statusIds: [mine.id], comment: "odd", category: "spam" });
  equal(again.id, filed.id, "id of the same report");
  const refused = await Promise.resolve(we.v1.admin.accounts.list()).catch((error) => error);
  equal(refused.statusCode, 403, "code of the admin API for a member");
});

await step("pin, note, endorse", async () => {
  want((await we.v1.statuses.$select(mine.id).pin()).pinned, "not pinned");
  equal((await we.v1.accounts.$select(me.id).statuses.list({ pinned: true }))[0]?.id, mine.id, "on top of the profile");
  want(!(await we.v1.statuses.$select(mine.id).unpin()).pinned, "still pinned");
  const person = we.v1.accounts.$select(friend.id);
  equal((await person.note.create({ comment: "met at a session" })).note, "met at a session", "note");
  want((await person.pin()).endorsed, "not endorsed");
  equal((await we.v1.endorsements.list())[0]?.id, friend.id, "endorsed");
  want(!(await person.unpin()).endorsed, "still endorsed");
});

await step("mute and unmute", async () => {
  const muted = await we.v1.accounts.$select(friend.id).mute({ notifications: true, duration: 600 });
  want(muted.muting && muted.mutingNotifications, "not muted");
  const quiet = await them.v1.statuses.create({ status: `quiet #${tag}` });
  const [entry] = await we.v1.mutes.list();
  want(entry.id === friend.id && entry.muteExpiresAt, "not among the muted, with an end");
  want(!(await we.v1.timelines.home.list()).some((s) => s.id === quiet.id), "home shows who is muted");
  want(!(await we.v1.accounts.$select(friend.id).unmute()).muting, "still muted");
});

await step("locked account: request, accept, reject", async () => {
  const changed = await we.v1.accounts.updateCredentials({ locked: true });
  want(changed.locked, "not locked");
  const asking = them.v1.accounts.$select(me.id);
  const request = we.v1.followRequests.$select(friend.id);
  for (const letIn of [false, true]) {
    want((await asking.follow()).requested, "not requested");
    await eventually("the request", async () => (await we.v1.followRequests.list()).some((a) => a.id === friend.id));
    await eventually("its notification", async () => (await we.v1.notifications.list()).some((n) => n.type === "follow_request"));
    const answer = letIn ? await request.authorize() : await request.reject();
    equal(answer.followedBy, letIn, "followed by who asked");
    await eventually("the answer", async () => {
      const [relationship] = await them.v1.accounts.relationships.fetch({ id: [me.id] });
      return !relationship.requested && relationship.following === letIn;
    });
    equal((await we.v1.followRequests.list()).length, 0, "requests left");
  }
  await we.v1.accounts.updateCredentials({ locked: false });
  await asking.unfollow();
});

await step("grouped notifications", async () => {
  await them.v1.statuses.$select(mine.id).reblog();
  const key = await eventually("the groups", async () => {
    const page = await we.v2.notifications.list({ groupedTypes: ["favourite", "reblog"] });
    const group = page.notificationGroups.find((g) => g.type === "reblog");
    return group && page.statuses.some((s) => s.id === group.statusId) && page.accounts.some((a) => a.id === group.sampleAccountIds[0]) && group.groupKey;
  });
  equal((await we.v2.notifications.$select(key).fetch()).notificationGroups[0].groupKey, key, "group");
  equal((await we.v2.notifications.$select(key).accounts.fetch())[0].id, friend.id, "account of the group");
  want((await we.v2.notifications.unreadCount.fetch()).count > 0, "nothing unread");
  await we.v2.notifications.$select(key).dismiss();
  const refused = await we.v2.notifications.$select(key).fetch().catch((error) => error);
  equal(refused.statusCode, 404, "code of the dismissed group");
});

await step("notification policy and requests", async () => {
  await we.v1.accounts.$select(friend.id).unfollow();
  const policy = await we.v2.notifications.policy.update({ forNotFollowing: "filter" });
  equal(policy.forNotFollowing, "filter", "policy");
  const hold = async (text) => {
    const status = await them.v1.statuses.create({ status: `${text} @${user}` });
    return eventually("the request", async () => (await we.v1.notifications.requests.list()).find((r) => r.lastStatus?.id === status.id));
  };
  const first = await hold("unasked");
  equal(first.account.id, friend.id, "of whom");
  equal((await we.v2.notifications.policy.fetch()).summary.pendingRequestsCount, 1, "pending requests");
  await we.v1.notifications.requests.$select(first.id).dismiss();
  equal((await we.v1.notifications.requests.list()).length, 0, "requests after one was dismissed");
  const second = await hold("once more");
  const held = () => we.v1.notifications.list({ types: ["mention"] }).then((ns) => ns.some((n) => n.status.id === second.lastStatus.id));
  want(!(await held()), "a held notification is shown");
  await we.v1.notifications.requests.$select(second.id).accept();
  await eventually("all that was accepted", async () => (await we.v1.notifications.requests.merged.fetch()).merged);
  want(await held(), "an accepted notification is not shown");
  await we.v2.notifications.policy.update({ forNotFollowing: "accept" });
});

await step("block and unblock", async () => {
  await we.v1.accounts.$select(friend.id).follow();
  const blocked = await we.v1.accounts.$select(friend.id).block();
  want(blocked.blocking && !blocked.following, "not blocked, or still followed");
  equal((await we.v1.blocks.list())[0]?.id, friend.id, "blocked");
  await eventually("nothing to see for who is blocked", async () => {
    const seen = await them.v1.statuses.$select(mine.id).fetch().catch((error) => error);
    return seen.statusCode === 404;
  });
  want(!(await we.v1.accounts.$select(friend.id).unblock()).blocking, "still blocked");
  await eventually("the status seen again", async () => {
    return them.v1.statuses.$select(mine.id).fetch().catch(() => false);
  });
});

await step("collections", async () => {
  await them.v1.accounts.updateCredentials({ discoverable: true });
  equal((await we.v1.accounts.$select(friend.id).fetch()).featureApproval.currentUser, "automatic", "consent");
  const { collection } = await we.v1.collections.create({ name: "Marsh birds", description: "They wade", tagName: "marsh" });
  const { collectionItem: item } = await we.v1.collections.$select(collection.id).items.create({ accountId: friend.id });
  equal(item.state, "accepted", "state of the item");
  await eventually("the notification of the addition", async () => {
    const [n] = await them.v1.notifications.list({ limit: 1, supportedTypes: ["mention"] });
    return n?.type === "added_to_collection" && n.collection.id === collection.id && n.fallback.title;
  });
  await eventually("the collection among those with the account", async () => {
    const { collections } = await them.v1.accounts.$select(friend.id).inCollections.list();
    return collections.some((c) => c.id === collection.id);
  });
  equal((await them.v1.accounts.$select(me.id).collections.list()).collections[0].id, collection.id, "collection of the account");
  equal((await them.v1.collections.$select(collection.id).fetch()).accounts.length, 2, "accounts with the owner");
  const found = await them.v2.search.list({ q: collection.url, resolve: true });
  equal(found.collections?.[0]?.id, collection.id, "collection at the address");
  const report = await them.v1.reports.create({ accountId: me.id, collectionIds: [collection.id], comment: "test" });
  equal(report.collectionIds[0], collection.id, "reported collection");
  const renamed = await we.v1.collections.$select(collection.id).update({ name: "Waders" });
  equal(renamed.collection.name, "Waders", "new name");
  await them.v1.collections.$select(collection.id).items.$select(item.id).revoke();
  const refused = await we.v1.collections.$select(collection.id).items.create({ accountId: friend.id }).catch((error) => error);
  equal(refused.statusCode, 403, "code of adding an account that has left");
  await eventually("no collections with the account", async () => {
    return (await them.v1.accounts.$select(friend.id).inCollections.list()).collections.length === 0;
  });
  await we.v1.collections.$select(collection.id).remove();
  equal((await we.v1.accounts.$select(me.id).collections.list()).collections.length, 0, "collections after the deletion");
});

await step("profile", async () => {
  const changed = await we.v1.profile.update({ showMedia: false, avatarDescription: "a red point" });
  equal(changed.showMedia, false, "show_media");
  equal((await we.v1.profile.fetch()).avatarDescription, "a red point", "description of the avatar");
  equal((await them.v1.accounts.$select(me.id).fetch()).showMedia, false, "show_media for others");
});

await step("group: join, post, read, leave", async () => {
  const group = await found("public", `public_${tag}`);
  const account = await we.v1.accounts.lookup({ acct: `public_${tag}` });
  want(account.group, "the account is no group");
  want((await we.v1.accounts.$select(account.id).follow()).following, "not joined");
  const said = await we.v1.statuses.create({ status: `@public_${tag} good morning` });
  await eventually("the post carried by the group", async () => {
    return (await we.v1.accounts.$select(account.id).statuses.list()).some((s) => s.reblog?.id === said.id);
  });
  const list = (await we.v1.lists.list()).find((l) => l.title === `@public_${tag}`);
  equal(list?.id, `9${group.id}`, "id of the group's list");
  equal((await we.v1.timelines.list.$select(list.id).list())[0]?.reblog?.id, said.id, "post in the list");
  const refused = await we.v1.lists.$select(list.id).update({ title: "mine" }).catch((error) => error);
  equal(refused.statusCode, 403, "code of changing the list");
  want(!(await we.v1.accounts.$select(account.id).unfollow()).following, "not left");
});

await step("chat: invited, talk, out of sight for others", async () => {
  const nobody = createRestAPIClient({ url });
  const chat = await found("chat", `chat_${tag}`, [me.id]);
  want((await we.v1.accounts.$select(chat.account_id).follow()).following, "not come in");
  const said = await them.v1.statuses.create({ status: `@chat_${tag} only for us`, visibility: "direct" });
  await eventually("a conversation for the other", async () => {
    return (await we.v1.conversations.list()).some((c) => c.lastStatus?.id === said.id && c.unread);
  });
  equal((await we.v1.statuses.$select(said.id).fetch()).visibility, "direct", "visibility");
  await eventually("its notification", async () => {
    return (await we.v1.notifications.list({ types: ["mention"] })).some((n) => n.status.id === said.id);
  });
  equal((await we.v1.timelines.list.$select(`9${chat.id}`).list())[0]?.id, said.id, "message in the chat's list");
  const hidden = await nobody.v1.accounts.lookup({ acct: `chat_${tag}` }).catch((error) => error);
  equal(hidden.statusCode, 404, "code of the chat for strangers");
});

await step("delete", async () => {
  const removed = await we.v1.statuses.$select(mine.id).remove();
  want(removed.text.includes(tag), "no source text for redrafting");
  const gone = await we.v1.statuses.$select(mine.id).fetch().catch((error) => error);
  equal(gone.statusCode, 404, "code of the deleted status");
});

await step("log out", async () => {
  await createOAuthAPIClient({ url }).revoke({ clientId: app.clientId, clientSecret: app.clientSecret, token: token.accessToken });
  const refused = await we.v1.accounts.verifyCredentials().catch((error) => error);
  equal(refused.statusCode, 401, "code after revocation");
});

done();
