package mastodon_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"os"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/uploads"
)

const multipartForm = "Content-Type: multipart/form-data; boundary=between"

// parts returns a multipart body of "name=value" parts. The value "picture" is a file with a
// picture.
func parts(all ...string) string {
	var b strings.Builder
	for _, p := range all {
		name, value, _ := strings.Cut(p, "=")
		b.WriteString("--between\r\nContent-Disposition: form-data; name=\"" + name + "\"")
		if kind, ok := strings.CutPrefix(value, "file:"); ok {
			b.WriteString("; filename=\"../holiday.jpg\"\r\nContent-Type: text/html")
			value = kind
			if kind == "picture" {
				value = square(1600, 900)
			}
		}
		b.WriteString("\r\n\r\n" + value + "\r\n")
	}
	return b.String() + "--between--\r\n"
}

// square returns a picture as PNG.
func square(w, h int) string {
	img := image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.White, color.RGBA{200, 30, 30, 255}})
	for i := range img.Pix[:len(img.Pix)/2] {
		img.Pix[i] = 1
	}
	var b bytes.Buffer
	_ = png.Encode(&b, img) // a buffer takes everything
	return b.String()
}

func upload(who, name string, more ...string) step {
	return step{as: who, do: "POST /api/v2/media", header: multipartForm, body: parts(append([]string{"file=file:picture"}, more...)...), save: name + "=id"}
}

// fetchFile reads a picture by its address as browsers do.
func fetchFile(name string, code int) step {
	return step{do: "GET /health", before: func(w *world) {
		got := w.call("", "GET "+strings.TrimPrefix(w.vars[name], "https://linnet.test"), "", "Range: bytes=1-3")
		if code == http.StatusOK {
			code = http.StatusPartialContent
		}
		if got.Code != code || code == http.StatusPartialContent && (got.Body.String() != "PNG" || got.Header().Get("Content-Type") != "image/png" ||
			got.Header().Get("Content-Security-Policy") != "default-src 'none'; sandbox") {
			w.t.Errorf("%s: code %d, %q, %v", w.vars[name], got.Code, got.Body, got.Header())
		}
	}}
}

func mediaScenarios() []scenario {
	return []scenario{
		{name: "pictures", people: "ann bob", steps: mediaSteps()},
		{name: "pictures that are refused", people: "ann bob", steps: mediaRefusals()},
		{name: "long descriptions", people: "ann", steps: longDescriptions()},
		{name: "pictures of deleted statuses", people: "ann bob", steps: mediaDeletion()},
		{name: "pictures of groups", people: "ann bob", steps: groupPictureSteps()},
		{name: "pictures of the installation", people: "ann bob", steps: sitePictureSteps()},
		{name: "videos and sounds", people: "ann bob", steps: clipSteps()},
		{name: "pictures have a limit", people: "ann bob", rates: core.Rates{Token: -1, User: -1, Address: -1, Media: 2, Delete: -1, Paging: -1}, steps: []step{
			upload("ann", "a"), upload("ann", "b"),
			{as: "ann", do: "POST /api/v1/media", header: multipartForm, body: parts("file=file:picture"), code: 429}, upload("bob", "c"),
			{as: "ann", do: "PUT /api/v1/media/{a}", body: "description=still"},
		}},
	}
}

// longDescriptions are descriptions at the limits of a picture, of a post and of its history.
func longDescriptions() []step {
	latin, cyrillic := "description="+strings.Repeat("x", 10_000), "description="+strings.Repeat("я", 10_000)
	ids := func(names ...string) (out string) {
		for _, n := range names {
			out += "media_ids[]={" + n + "}&"
		}
		return out
	}
	return []step{
		upload("ann", "a", latin), upload("ann", "b", latin), upload("ann", "c", latin), upload("ann", "d", latin),
		{as: "ann", do: "POST /api/v1/statuses", body: ids("a", "b", "c", "d") + "status=long", want: []string{"media_attachments#4"}, save: "s=id"},
		upload("ann", "e", cyrillic), upload("ann", "f", cyrillic), upload("ann", "g", cyrillic),
		{as: "ann", do: "POST /api/v1/statuses", body: ids("e", "f", "g") + "status=longer", code: 422, want: []string{"error~descriptions of at most 49152 bytes in total (60000 given). Shorten them"}},
		{as: "ann", do: "POST /api/v1/statuses", body: ids("e", "f", "g") + "status=longer&scheduled_at=2100-01-01T00:00:00Z", code: 422},
		{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=long&" + ids("a", "b", "c", "d") + "media_attributes[][id]={a}&media_attributes[][description]=" + strings.Repeat("я", 10_000), code: 422, want: []string{"error~(50000 given)"}},
		{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=long&" + ids("e", "f"), want: []string{"media_attachments#2"}},
		upload("ann", "h", latin), upload("ann", "i", latin),
		{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=long&" + ids("h", "i"), code: 422, want: []string{"error~would make the edit history exceed 98304 bytes of descriptions"}},
		{as: "ann", do: "PUT /api/v1/statuses/{s}", body: "status=long&" + ids("a"), want: []string{"media_attachments#1"}},
		{as: "ann", do: "GET /api/v1/statuses/{s}/history", want: []string{"#3", "0.media_attachments#4"}},
	}
}

func mediaSteps() []step {
	return []step{
		{do: "GET /api/v2/instance", want: []string{"configuration.media_attachments.description_limit=10000", "configuration.accounts.max_display_name_length=40", "configuration.accounts.max_avatar_description_length=150", "configuration.accounts.max_header_description_length=150", "configuration.media_attachments.image_size_limit=16777216",
			"configuration.statuses.max_media_attachments=4", "configuration.media_attachments.supported_mime_types.*~image/webp"}},
		{as: "ann", do: "POST /api/v2/media", header: multipartForm, body: parts("file=file:picture", "description=A red square\r\nand a white one", "focus=0.25,-0.5"),
			want: []string{"type=image", "url~https://linnet.test/media/", "url~.png", "preview_url~.jpg", "remote_url=null", "meta.original.width=1600", "meta.original.height=900",
				"meta.original.size=1600x900", "meta.small.size=640x360", "description=A red square\nand a white one", "blurhash~"}, save: "pic=id"},
		{as: "ann", do: "GET /api/v1/media/{pic}", want: []string{"id={pic}"}, save: "url=url"},
		{as: "bob", do: "GET /api/v1/media/{pic}", code: 404}, {do: "GET /api/v1/media/{pic}", code: 401},
		{as: "ann/read", do: "GET /api/v1/media/{pic}", code: 403},
		{as: "bob", do: "PUT /api/v1/media/{pic}", body: "description=mine", code: 404}, {as: "bob", do: "DELETE /api/v1/media/{pic}", code: 404},
		{as: "bob", do: "POST /api/v1/statuses", body: "media_ids[]={pic}", code: 422, want: []string{"error~not one of your unattached uploads"}},
		{as: "ann", do: "PUT /api/v1/media/{pic}", body: "description=Two squares&focus=0,0", want: []string{"description=Two squares", "meta.focus!"}},
		{as: "ann", do: "PUT /api/v1/media/{pic}", header: multipartForm, body: parts("description=Squares"), want: []string{"description=Squares"}},
		upload("ann", "two"), {as: "ann", do: "DELETE /api/v1/media/{two}", want: []string{"={}"}}, {as: "ann", do: "DELETE /api/v1/media/{two}", code: 404}, {as: "ann", do: "GET /api/v1/media/{two}", code: 404},
		upload("ann", "two", "description=another"),
		{as: "ann", do: "POST /api/v1/statuses", body: "status=with+two&media_ids[]={two}&media_ids[]={pic}&visibility=public", header: "Idempotency-Key: once",
			want: []string{"media_attachments#2", "media_attachments.0.id={two}", "media_attachments.0.description=another", "media_attachments.1.id={pic}", "media_attachments.1.description=Squares"}, save: "st=id"},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=with+two&media_ids[]={two}&media_ids[]={pic}&visibility=public", header: "Idempotency-Key: once", want: []string{"id={st}"}},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=again&media_ids[]={pic}", code: 422}, {as: "ann", do: "GET /api/v1/media/{pic}", code: 404},
		{as: "bob", do: "GET /api/v1/statuses/{st}", want: []string{"media_attachments.1.meta.original.width=1600"}},
		upload("ann", "three"), {as: "ann", do: "POST /api/v1/statuses", body: `{"media_ids":["{three}"],"sensitive":true,"visibility":"unlisted"}`, want: []string{"content=", "sensitive=true", "media_attachments#1"}, save: "bare=id"},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=just+words"},
		{as: "bob", do: "GET /api/v1/accounts/{ann}/statuses?only_media=true", want: []string{"*.id={bare} {st}"}},
		{as: "bob", do: "GET /api/v1/accounts/{ann}/statuses", want: []string{"#3"}},
		{as: "bob", do: "GET /api/v1/timelines/public?only_media=true", want: []string{"*.id={st}"}},
		{as: "bob", do: "GET /api/v1/timelines/public", want: []string{"#2"}},
		fetchFile("url", 200),
	}
}

func mediaRefusals() []step {
	refused := func(word string, body ...string) step {
		return step{as: "ann", do: "POST /api/v2/media", header: multipartForm, body: parts(body...), code: 422, want: []string{"error~" + word}}
	}
	return []step{
		{do: "POST /api/v2/media", header: multipartForm, body: parts("file=file:picture"), code: 401},
		{as: "ann/write:statuses", do: "POST /api/v2/media", header: multipartForm, body: parts("file=file:picture"), code: 403},
		refused("can't be blank", "description=nothing"), {as: "ann", do: "POST /api/v2/media", body: "file=text", code: 422, want: []string{"error~must be a file"}}, {as: "ann", do: "POST /api/v2/media", code: 422},
		refused("must be a JPEG", "file=file:hello"), refused("must be a JPEG", "file=file:<svg xmlns='http://www.w3.org/2000/svg'></svg>"), refused("HEIC", "file=file:\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"),
		refused("maximum is 10000", "file=file:picture", "description="+strings.Repeat("x", 10_001)), refused("has 60000 bytes (maximum is 49152)", "file=file:picture", "description="+strings.Repeat("<", 10_000)), refused("between -1 and 1", "file=file:picture", "focus=2,0"), refused("two numbers", "file=file:picture", "focus=middle"), refused("between -1 and 1", "file=file:picture", "focus=NaN,0"),
		refused("larger than 16 MB", "file=file:"+strings.Repeat("x", 16<<20+1)),
		refused("more than 2 files", "file=file:picture", "a=file:b", "c=file:d"),
		{as: "ann", do: "POST /api/v2/media", header: multipartForm, body: "--between\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\nhalf", code: 422},
		{as: "ann", do: "POST /api/v1/statuses", body: "media_ids[]=1&status=x", code: 422, want: []string{"error~not one of your unattached uploads"}},
		{as: "ann", do: "POST /api/v1/statuses", body: "media_ids[]=1&media_ids[]=2&media_ids[]=3&media_ids[]=4&media_ids[]=5&status=x", code: 422},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=+", code: 422},
		upload("ann", "a"), {as: "ann", do: "POST /api/v1/statuses", body: "media_ids[]={a}&media_ids[]={a}&status=x", want: []string{"media_attachments#1"}},
		upload("ann", "p"), {as: "ann", do: "POST /api/v1/statuses", body: "media_ids[]={p}&poll[options][]=a&poll[options][]=b&poll[expires_in]=600", want: []string{"media_attachments.0.id={p}", "poll.options.*.title=a b", "content="}, save: "both=id"},
		{as: "ann", do: "PUT /api/v1/statuses/{both}", body: "status=x&media_ids[]={p}&poll[options][]=a&poll[options][]=b&poll[expires_in]=600", want: []string{"media_attachments#1", "poll.options#2", "content~x"}},
		{do: "GET /media/nothing.png", code: 404}, {do: "GET /media/aaaaaaaaaaaaaaaaaaaaaaaaaa.png", code: 404}, {do: "GET /media/..%2f..%2fetc%2fpasswd", code: 404},
	}
}

func mediaDeletion() []step {
	return []step{
		upload("ann", "pic", "description=kept"), {as: "ann", do: "POST /api/v1/statuses", body: "status=draft&media_ids[]={pic}", save: "st=id"},
		{as: "ann", do: "GET /api/v1/statuses/{st}", save: "url=media_attachments.0.url"},
		{as: "ann", do: "DELETE /api/v1/statuses/{st}", want: []string{"text=draft", "media_attachments.0.id={pic}", "media_attachments.0.description=kept"}},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=anew&media_ids[]={pic}", want: []string{"media_attachments.0.id={pic}", "media_attachments.0.description=kept"}, save: "anew=id"},
		fetchFile("url", 200),
		{as: "ann", do: "DELETE /api/v1/statuses/{anew}?delete_media=true"}, {as: "ann", do: "GET /api/v1/media/{pic}", code: 404}, fetchFile("url", 404),
		upload("ann", "left"), {as: "ann", do: "GET /api/v1/media/{left}", save: "url=url"}, fetchFile("url", 200),
		{before: func(w *world) {
			if err := w.svc.Social.Deletion.DeleteUser(context.Background(), w.ids["ann"]); err != nil {
				w.t.Fatal(err)
			}
		}, do: "GET /health"}, fetchFile("url", 404),
	}
}

func groupPictureSteps() []step {
	const path = "/api/v1/groups/{g}"
	send := func(who string, code int, want ...string) step {
		return step{as: who, do: "PUT " + path, header: multipartForm, body: parts("avatar=file:picture", "header=file:picture", "display_name=Birders"), code: code, want: want}
	}
	return []step{
		{as: "ann", do: "POST /api/v1/groups", body: "username=birders", want: []string{"avatar~/avatars/birders.png"}, save: "g=id"},
		send("ann", 0, "avatar~https://linnet.test/media/", "avatar_static~.png", "header~https://linnet.test/media/", "display_name=Birders"),
		{as: "bob", do: "GET /api/v1/accounts/{g}", want: []string{"avatar~/media/", "header~/media/"}, save: "url=avatar"}, fetchFile("url", 200),
		send("bob", 403), {do: "PUT " + path, header: multipartForm, body: parts("avatar=file:picture"), code: 401},
		{as: "ann", do: "PUT " + path, header: multipartForm, body: parts("avatar=file:hello"), code: 422, want: []string{"error~must be a JPEG"}},
		{as: "bob", do: "DELETE " + path + "/avatar", code: 403},
		{as: "ann/read", do: "DELETE " + path + "/avatar", code: 403},
		{as: "ann", do: "DELETE /api/v1/groups/1/avatar", code: 404},
		{as: "ann", do: "DELETE " + path + "/avatar", want: []string{"avatar~/avatars/birders.png", "header~/media/"}}, fetchFile("url", 404),
		{as: "ann", do: "GET " + path, save: "url=header"}, {as: "ann", do: "DELETE " + path}, fetchFile("url", 404),
	}
}

func sitePictureSteps() []step {
	set := func(shape media.Shape, picture string, code linnet.Kind) step {
		return step{do: "GET /health", before: func(w *world) {
			var f *uploads.File
			if picture != "" {
				var err error
				if f, err = w.svc.Uploads.Receive(strings.NewReader(picture)); err != nil {
					w.t.Fatal(err)
				}
				defer f.Close()
			}
			if err := w.svc.Settings.SetPicture(context.Background(), linnet.Operator(), shape, f); (err == nil) != (code == 0) || err != nil && linnet.KindOf(err) != code {
				w.t.Errorf("%s: %v", shape, err)
			}
		}}
	}
	return []step{
		{do: "GET /api/v2/instance", want: []string{"thumbnail.url~/headers/default.png", "thumbnail.description=", "icon#0", "thumbnail.blurhash=null"}},
		set(media.Icon, square(900, 700), 0), set(media.Thumbnail, square(2400, 1260), 0),
		{do: "GET /api/v2/instance", want: []string{"thumbnail.url~https://linnet.test/media/", "thumbnail.versions.@2x~/media/", "thumbnail.blurhash~", "icon.0.src~/media/", "icon.0.size=512x512"}, save: "icon=icon.0.src"},
		{before: func(w *world) {
			alt := "A  marsh"
			if _, err := w.svc.Settings.ChangeInstance(context.Background(), linnet.Operator(), linnet.InstanceChange{ThumbnailAlt: &alt}); err != nil {
				w.t.Fatal(err)
			}
		}, do: "GET /api/v2/instance", want: []string{"thumbnail.description=A marsh"}, save: "thumb=thumbnail.versions.@2x"}, {do: "GET /api/v1/instance", want: []string{"thumbnail~https://linnet.test/media/"}, save: "small=thumbnail"},
		fetchFile("icon", 200), fetchFile("thumb", 200),
		set(media.Icon, "no picture", linnet.Invalid), fetchFile("icon", 200),
		set(media.Icon, square(32, 32), 0), fetchFile("icon", 404), set(media.Thumbnail, "", 0), fetchFile("thumb", 404), fetchFile("small", 404),
		{do: "GET /api/v2/instance", want: []string{"thumbnail.url~/headers/default.png", "thumbnail.description=", "icon#1"}},
		{before: func(w *world) {
			if err := w.svc.Settings.SetPicture(context.Background(), linnet.By(w.ids["bob"]), media.Icon, nil); linnet.KindOf(err) != linnet.Forbidden {
				w.t.Errorf("a member removed the logo: %v", err)
			}
		}, do: "GET /health"},
	}
}

// clip returns a sample file of package media.
func clip(name string) string {
	data, err := os.ReadFile("../media/testdata/" + name)
	if err != nil {
		panic(err)
	}
	return "file=file:" + string(data)
}

func clipSteps() []step {
	send := func(name string, want ...string) step {
		return step{as: "ann", do: "POST /api/v2/media", header: multipartForm, body: parts(clip(name), "description=What is heard"), want: append(want, "description=What is heard"), save: name[:4] + "=id"}
	}
	return []step{
		{do: "GET /api/v2/instance", want: []string{"configuration.media_attachments.video_size_limit=103809024", "configuration.media_attachments.video_frame_rate_limit=120",
			"configuration.media_attachments.video_matrix_limit=8294400", "configuration.media_attachments.supported_mime_types.*~video/webm"}},
		send("clip.mp4", "type=video", "url~.mp4", "preview_url=null", "blurhash=null", "meta.original.width=64", "meta.original.height=48", "meta.original.frame_rate=10000/1000", "meta.length=0:00:02.00", "meta.size=64x48", "meta.audio_encode=aac", "meta.fps=10"),
		{as: "ann", do: "GET /api/v1/media/{clip}", want: []string{"type=video", "meta.fps=10"}, save: "url=url"},
		send("silent.mp4", "type=gifv", "meta.audio_encode!"), send("sound.mp3", "type=audio", "url~.mp3", "meta.original.width!", "meta.audio_encode=mp3", "meta.audio_channels=mono", "meta.original.bitrate~1"),
		{as: "ann", do: "POST /api/v2/media", header: multipartForm, body: parts(clip("sound.mp3"), "thumbnail=file:picture"), want: []string{"type=audio", "preview_url~.jpg", "meta.small.width=640", "meta.small.height=360", "blurhash~L"}, save: "face=id"},
		{as: "ann", do: "GET /api/v1/media/{face}", save: "preview=preview_url"},
		{as: "ann", do: "PUT /api/v1/media/{face}", header: multipartForm, body: parts("thumbnail=file:" + square(20, 10)), want: []string{"meta.small.width=20", "type=audio"}},
		{as: "ann", do: "PUT /api/v1/media/{face}", header: multipartForm, body: parts("thumbnail=file:no picture", "description=new"), code: 422, want: []string{"error~Thumbnail"}},
		{as: "bob", do: "PUT /api/v1/media/{face}", header: multipartForm, body: parts("thumbnail=file:picture"), code: 404},
		{as: "ann", do: "POST /api/v2/media", header: multipartForm, body: parts("file=file:picture", "thumbnail="+strings.TrimPrefix(clip("clip.mp4"), "file=")), code: 422, want: []string{"error~Thumbnail"}},
		{as: "ann", do: "POST /api/v2/media", body: "thumbnail=text", code: 422},
		{as: "ann", do: "GET /api/v1/media/{face}", want: []string{"meta.small.width=20", "description=null"}, before: func(w *world) {
			if got := w.call("", "GET "+strings.TrimPrefix(w.vars["preview"], "https://linnet.test"), "", ""); got.Code != http.StatusNotFound {
				w.t.Errorf("a thumbnail that was replaced: %d", got.Code)
			}
		}},
		upload("ann", "pic"),
		{as: "ann", do: "POST /api/v1/statuses", body: "status=both&media_ids[]={clip}&media_ids[]={pic}", code: 422, want: []string{"error~a video or audio file together with other"}},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=seen&media_ids[]={clip}&visibility=private", want: []string{"media_attachments.0.type=video", "media_attachments.0.meta.original.width=64"}, save: "st=id"},
		{as: "ann", do: "POST /api/v1/statuses", body: "status=heard&media_ids[]={soun}", want: []string{"media_attachments.0.type=audio", "media_attachments.0.description=What is heard"}},
		{as: "bob", do: "GET /api/v1/statuses/{st}", code: 404},
		{as: "ann", do: "GET /api/v2/search?type=statuses&q=has:video", want: []string{"statuses.0.id={st}", "statuses.1!"}},
		{as: "ann", do: "GET /api/v2/search?type=statuses&q=has:audio", want: []string{"statuses.0.content~heard", "statuses.1!"}},
		{do: "GET /health", before: func(w *world) {
			got := w.call("", "GET "+strings.TrimPrefix(w.vars["url"], "https://linnet.test"), "", "Range: bytes=4-7")
			if got.Code != http.StatusPartialContent || got.Body.String() != "ftyp" || got.Header().Get("Content-Type") != "video/mp4" || got.Header().Get("Content-Range") != "bytes 4-7/8043" {
				w.t.Errorf("a part of a video: %d, %q, %v", got.Code, got.Body, got.Header())
			}
			whole := w.call("", "GET "+strings.TrimPrefix(w.vars["url"], "https://linnet.test"), "", "")
			if whole.Body.Len() != 8043 || strings.Contains(whole.Body.String(), "SECRET") || strings.Contains(whole.Body.String(), "48.2082") {
				w.t.Error("the video still tells where it was made, or is another")
			}
			long := io.MultiReader(strings.NewReader("\x00\x00\x00\x18ftypisom"), io.LimitReader(zeros{}, media.MaxFilmBytes))
			if _, err := w.svc.Uploads.Receive(long); linnet.KindOf(err) != linnet.Invalid || !strings.Contains(err.Error(), "99 MB") {
				w.t.Errorf("a video that is too large: %v", err)
			}
		}},
		{as: "ann", do: "POST /api/v2/media", header: multipartForm, body: parts("file=file:ID3\x04\x00\x00\x00\x00\x00\x00<script>alert(1)</script>"), code: 422, want: []string{"error~damaged"}},
		{as: "ann", do: "POST /api/v2/media", header: multipartForm, body: parts("file=file:\x00\x00\x00\x10ftypisom\x00\x00\x00\x00"), code: 422, want: []string{"error~incomplete"}},
		{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", header: multipartForm, body: parts("avatar=" + strings.TrimPrefix(clip("clip.mp4"), "file=")), code: 422, want: []string{"error~must be a JPEG"}},
		{as: "ann", do: "DELETE /api/v1/statuses/{st}?delete_media=true"}, {do: "GET /health", before: func(w *world) {
			if got := w.call("", "GET "+strings.TrimPrefix(w.vars["url"], "https://linnet.test"), "", ""); got.Code != http.StatusNotFound {
				w.t.Errorf("the video of a deleted status: %d", got.Code)
			}
		}},
	}
}

// zeros has no end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
