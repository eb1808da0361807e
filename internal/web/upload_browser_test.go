package web_test

import (
	"fmt"
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
	release := w.holdPosts()
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
