// Package timeline has the pages of timelines and threads: home, local, hashtags, lists, saved
// posts, Explore, announcements and the landing page. It also sends live updates.
package timeline
