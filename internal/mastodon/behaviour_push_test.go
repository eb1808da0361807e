package mastodon_test

func pushScenarios() []scenario {
	const path, keys = "/api/v1/push/subscription", "&subscription[keys][p256dh]=BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4&subscription[keys][auth]=BTBZMqHH6r4Tts7J_aSIgg"
	const there = "subscription[endpoint]=https://push.test/1" + keys
	return []scenario{
		{name: "push subscription", people: "ann bob", steps: []step{
			{as: "ann", do: "GET " + path, code: 404, want: []string{"error=Record not found"}},
			{as: "ann", do: "PUT " + path, body: "data[alerts][mention]=true", code: 404},
			{do: "GET /api/v2/instance", save: "key=configuration.vapid.public_key"},
			{as: "ann", do: "POST " + path, body: there + "&data[alerts][mention]=true&data[alerts][admin.sign_up]=1&data[alerts][what]=true&data[policy]=followed",
				want: []string{"endpoint=https://push.test/1", "server_key={key}", "alerts.mention=true", "alerts.follow=false", "alerts.poll=false", "alerts.quote=false", "policy=followed", "standard=false", "alerts.what!"}, save: "first=id"},
			{as: "ann", do: "GET " + path, want: []string{"id={first}", "alerts.mention=true", "policy=followed"}},
			{as: "bob", do: "GET " + path, code: 404},
			{as: "ann", do: "PUT " + path, body: `{"data":{"alerts":{"follow":true,"mention":false}}}`, want: []string{"id={first}", "alerts.mention=false", "alerts.follow=true", "policy=followed"}},
			{as: "ann", do: "PUT " + path, body: "policy=none", want: []string{"alerts.follow=true", "policy=none"}},
			{as: "ann", do: "PUT " + path, body: `{"data":{"policy":"follower"}}`, want: []string{"policy=follower"}},
			{as: "ann", do: "PUT " + path, body: "data[policy]=some", code: 422, want: []string{"error~followed, follower or none"}},
			{as: "ann", do: "POST " + path, body: `{"subscription":{"endpoint":"https://push.test/2","standard":true,"keys":{"p256dh":"BCVxsr7N/eNgVRqvHtD0zTZsEc6+VV+JvLexhqUzORcxaOzi6+AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4=","auth":"BTBZMqHH6r4Tts7J/aSIgg=="}}}`,
				want: []string{"standard=true", "policy=all", "alerts.follow=false"}},
			{as: "ann", do: "GET " + path, want: []string{"endpoint=https://push.test/2"}}, {as: "ann/push", do: "GET " + path, code: 404},
			{as: "ann", do: "DELETE " + path, want: []string{"id!"}}, {as: "ann", do: "DELETE " + path}, {as: "ann", do: "GET " + path, code: 404},
			{do: "POST " + path, body: there, code: 401}, {as: "app", do: "POST " + path, body: there, code: 422}, {as: "ann/read write follow", do: "GET " + path, code: 403},
		}},
		{name: "push subscriptions that may not be", people: "ann", steps: []step{
			{as: "ann", do: "POST " + path, body: "subscription[endpoint]=http://push.test/1" + keys, code: 422, want: []string{"error~HTTPS address", "details.endpoint.0.error=ERR_INVALID"}},
			{as: "ann", do: "POST " + path, body: "subscription[endpoint]=https://127.0.0.1/1" + keys, code: 422, want: []string{"error~is not allowed"}},
			{as: "ann", do: "POST " + path, body: "subscription[endpoint]=https://[::ffff:10.0.0.1]/1" + keys, code: 422},
			{as: "ann", do: "POST " + path, body: "subscription[endpoint]=https://push.test:25/" + keys, code: 422},
			{as: "ann", do: "POST " + path, body: "subscription[endpoint]=https://u:p@push.test/" + keys, code: 422},
			{as: "ann", do: "POST " + path, body: "subscription[endpoint]=push" + keys, code: 422},
			{as: "ann", do: "POST " + path, body: "subscription[endpoint]=https://push.test/1", code: 422, want: []string{"error~P-256"}},
			{as: "ann", do: "POST " + path, body: "", code: 422},
			{as: "ann", do: "POST " + path, body: there + "A", code: 422},
			{as: "ann", do: "POST " + path, body: there + "&data[policy]=x", code: 422},
			{as: "ann", do: "POST " + path, body: `{"subscription":"x"}`, code: 422},
			{as: "ann", do: "GET " + path, code: 404},
		}},
	}
}
