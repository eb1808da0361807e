package web_test

import (
	"fmt"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// drawnHere creates a DataTransfer with a picture file.
const drawnHere = `new Promise((done) => {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 40;
  canvas.getContext('2d').fillRect(5, 5, 20, 20);
  canvas.toBlob((blob) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([blob], 'square.png', {type: 'image/png'}));
    done(transfer);
  }, 'image/png');
})`

// uploadsStay checks that pictures are uploaded as soon as they are chosen, dropped or pasted. The
// text stays, and the post contains the descriptions.
func uploadsStay(t *testing.T) {
	w, ann, _ := flock(t, 0)
	tb := homeOf(t, w)
	tb.writes("with pictures")
	attached := func(n int) {
		t.Helper()
		tb.holds("document.querySelectorAll('.attached li').length == %d && !document.querySelector('progress')", n)
		tb.holds("document.getElementById('text').value == 'with pictures' && location.pathname == '/'")
	}
	tb.eval(drawnHere + `.then((transfer) => {
  const chooser = document.getElementById('pictures');
  chooser.files = transfer.files;
  chooser.dispatchEvent(new Event('change', {bubbles: true}));
})`)
	attached(1)
	tb.eval(drawnHere + `.then((dataTransfer) => document.getElementById('text').dispatchEvent(new DragEvent('drop', {dataTransfer, bubbles: true, cancelable: true})))`)
	attached(2)
	tb.eval(drawnHere + `.then((clipboardData) => document.getElementById('text').dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true})))`)
	attached(3)
	for i := range 3 {
		tb.clicks(fmt.Sprintf(".attached li:nth-of-type(%d) summary", i+1))
		tb.typeInto(fmt.Sprintf(".attached li:nth-of-type(%d) textarea", i+1), fmt.Sprintf("square %d", i))
	}
	tb.eval("document.querySelector('.send .button').click()")
	tb.holds("!!document.querySelector('.posts .gallery.of3') && !document.querySelector('.attached li') && location.pathname == '/'")
	page, err := w.svc.Reading.Profile(t.Context(), ann.ID, ann.ID, linnet.ProfileFilter{}, linnet.Page{})
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("%d posts, %v", len(page.Items), err)
	}
	media := page.Items[0].Media
	if len(media) != 3 || media[0].Description != "square 0" || media[2].Description != "square 2" {
		t.Errorf("posted with %+v", media)
	}
	tb.calm()
}

// refusedUploadKeepsTheText checks that files of other types are rejected with a reason and leave
// the text unchanged.
func refusedUploadKeepsTheText(t *testing.T) {
	w, _, _ := flock(t, 0)
	tb := homeOf(t, w)
	tb.writes("with a page")
	tb.eval(`(() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(['<html>no picture</html>'], 'page.jpg', {type: 'image/jpeg'}));
  document.getElementById('text').dispatchEvent(new DragEvent('drop', {dataTransfer, bubbles: true, cancelable: true}));
})()`)
	tb.holds("[...document.querySelectorAll('.wrong, .flash[role=alert]')].some((e) => /picture|file/.test(e.textContent)) && !document.querySelector('progress')")
	tb.holds("document.getElementById('text').value == 'with a page' && document.querySelectorAll('.attached li').length == 0")
	tb.expects("status of 422")
}

// uploadCanBeCancelled checks that an upload shows its progress and can be cancelled. The text
// stays, and the same file can be chosen again.
func uploadCanBeCancelled(t *testing.T) {
	w, _, _ := flock(t, 0)
	tb := homeOf(t, w)
	tb.writes("with a picture")
	choose := drawnHere + `.then((transfer) => {
  const chooser = document.getElementById('pictures');
  chooser.files = transfer.files;
  chooser.dispatchEvent(new Event('change', {bubbles: true}));
})`
	release := w.hold(isPost)
	tb.eval("%s", choose)
	tb.holds("(e => !!e && e.max == 1 && !!e.ariaLabel && e.getBoundingClientRect().width > 40)(document.querySelector('.attached progress'))")
	tb.pictured("upload")
	tb.clicks(".attached .busy .quiet")
	tb.holds("!document.querySelector('progress') && document.activeElement.id == 'text'")
	release()
	tb.holds("document.getElementById('text').value == 'with a picture' && document.getElementById('pictures').files.length == 0")
	if n := tb.eval("document.querySelectorAll('.attached li').length"); n != "0" {
		t.Errorf("%s pictures are attached", n)
	}
	tb.eval("%s", choose)
	tb.holds("document.querySelectorAll('.attached li').length == 1 && !document.querySelector('progress')")
	tb.calm()
}

// uploadWithoutItsModule checks that dropped files are sent with the form while the script that
// uploads them is loading, and that they stay in the form if it can't be loaded.
func uploadWithoutItsModule(t *testing.T) {
	w, ann, _ := flock(t, 0)
	yes := true
	if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{NoAltReminder: &yes}); err != nil {
		t.Fatal(err)
	}
	tb := homeOf(t, w)
	drop := drawnHere + `.then((dataTransfer) => {
  document.getElementById('text').dispatchEvent(new DragEvent('drop', {dataTransfer, bubbles: true, cancelable: true}));
  if (%v) document.querySelector('.send .button').click();
})`
	tb.do("Network.setBlockedURLs", map[string]any{"urls": []string{"*/pictures.js"}}, nil)
	tb.expects("ERR_BLOCKED_BY_CLIENT")
	tb.writes("without the script")
	tb.eval(drop, false)
	tb.holds("document.querySelector('.flash[role=alert]').textContent == 'Connection failed. Try again.' && document.querySelector('.pictures').open")
	tb.eval(drop, false)
	tb.holds("document.getElementById('pictures').files.length == 2")
	tb.loads(func() { tb.clicks(".pictures [value=attach]") })
	tb.holds("document.querySelectorAll('.attached li').length == 2 && document.getElementById('text').value == 'without the script'")
	tb.do("Network.setBlockedURLs", map[string]any{"urls": []string{}}, nil)
	tb.open(w.base + "/")
	tb.writes("at once")
	tb.loads(func() { tb.eval(drop, true) })
	if st := w.newest(ann.ID); st.Text != "at once" || len(st.Media) != 1 {
		t.Errorf("posted %+v", st)
	}
	tb.calm()
}

// removedStaysRemoved checks that an attachment that is removed during an upload doesn't return
// with its response.
func removedStaysRemoved(t *testing.T) {
	w, ann, _ := flock(t, 0)
	tb := homeOf(t, w)
	tb.uploadsHere(2)
	ids := tb.eval(attachedOrder)
	first, second, _ := strings.Cut(ids, ",")
	release := w.hold(isPost)
	tb.eval(drawnHere + `.then((dataTransfer) => document.getElementById('text').dispatchEvent(new DragEvent('drop', {dataTransfer, bubbles: true, cancelable: true})))`)
	tb.holds("!!document.querySelector('.attached progress')")
	tb.clicks(".attached .drop")
	tb.holds("%s == %q", attachedOrder, second)
	release()
	tb.holds("document.querySelectorAll('.attached li').length == 2 && !document.querySelector('progress, .attached .wrong')")
	if now := tb.eval(attachedOrder); strings.Contains(now, first) || !strings.HasPrefix(now, second+",") {
		t.Errorf("attached: %s, after %s was removed from %s", now, first, ids)
	}
	eventually(t, "the removed file is deleted", func() bool {
		_, err := w.svc.Uploads.Attachment(t.Context(), ann.ID, mustID(t, first))
		return linnet.KindOf(err) == linnet.NotFound
	})
	tb.calm()
}
