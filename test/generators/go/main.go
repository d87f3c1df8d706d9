// Calls a server through the client that oapi-codegen generated in the package ledger beside it.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strings"

	"github.com/google/uuid"

	"example.org/generated/ledger"
)

type result struct {
	Attributes ledger.Attributes `json:"attributes"`
	Listed     []int             `json:"listed"`
	Event      string            `json:"event"`
	Events     int               `json:"events"`
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func authorize(_ context.Context, request *http.Request) error {
	request.Header.Set("authorization", "Bearer "+os.Getenv("TOKEN"))
	return nil
}

func main() {
	ctx := context.Background()
	client := must(ledger.NewClientWithResponses(os.Getenv("SERVER"), ledger.WithRequestEditorFn(authorize)))
	var attributes ledger.Attributes
	must(0, json.Unmarshal([]byte(os.Getenv("ATTRIBUTES")), &attributes))
	generator := must(attributes["generator"].AsAttributeValue0())
	public, restricted, size := true, false, 10
	created := must(client.CreateAssetWithResponse(ctx, nil, ledger.NewAsset{Attributes: &attributes, Public: &public}))
	id := uuid.MustParse(strings.TrimPrefix(created.JSON200.Identity, "assets/"))
	count := func(value string, isPublic *bool) int {
		filters := ledger.AssetAttributeFilters{"attributes.generator": value}
		params := ledger.ListAssetsParams{AttributeFilters: &filters, Public: isPublic, PageSize: &size}
		return len(must(client.ListAssetsWithResponse(ctx, &params)).JSON200.Assets)
	}
	event := ledger.NewEvent{Operation: "Record", Behaviour: "RecordEvidence"}
	recorded := must(client.CreateEventWithResponse(ctx, id, nil, event))
	asset := must(client.GetAssetWithResponse(ctx, id, nil))
	events := must(client.ListEventsWithResponse(ctx, id.String(), &ledger.ListEventsParams{PageSize: &size}))
	answer := result{
		Attributes: asset.JSON200.Attributes,
		Listed:     []int{count(generator, nil), count(generator, &restricted), count("another", nil)},
		Event:      string(recorded.JSON200.ConfirmationStatus),
		Events:     len(events.JSON200.Events),
	}
	must(0, json.NewEncoder(os.Stdout).Encode(answer))
}
