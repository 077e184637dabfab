/** What a `meta` function needs of what Remix hands it. */
interface MetaInput<Data> {
  data: Data | undefined
  matches: readonly { id: string; data?: unknown }[]
}

/** The document's title on a screen, 'title · place display name'; without a place the product's name stands there. */
export function placeTitle<Data>(titleOf: string | ((data: Data) => string)) {
  return ({ data, matches }: MetaInput<Data>) => {
    const root = matches.find((match) => match.id === 'root')?.data as
      { main?: { place?: { displayName: string } | null } | null } | undefined
    const place = root?.main?.place?.displayName ?? 'Commonplace'
    const title = typeof titleOf === 'string' ? titleOf : data === undefined ? 'Error' : titleOf(data)
    return [{ title: `${title} · ${place}` }]
  }
}
