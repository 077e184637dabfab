/** What a `meta` function needs of what Remix hands it. */
interface MetaInput<Data> {
  data: Data | undefined
  matches: readonly { id: string; data?: unknown }[]
}

interface RootHead {
  main?: { place?: { displayName: string } | null } | null
  hub?: { place: { displayName: string } } | null
}

/** 'title · place display name', of the hub or of the place one works in; without one the product's name stands there. */
export function titleIn(matches: MetaInput<unknown>['matches'], title: string): string {
  const root = matches.find((match) => match.id === 'root')?.data as RootHead | undefined
  const place = root?.hub?.place ?? root?.main?.place
  return `${title} · ${place?.displayName ?? 'Commonplace'}`
}

/** The document's title on a screen of the workspace. */
export function placeTitle<Data>(titleOf: string | ((data: Data) => string)) {
  return ({ data, matches }: MetaInput<Data>) => {
    const title = typeof titleOf === 'string' ? titleOf : data === undefined ? 'Error' : titleOf(data)
    return [{ title: titleIn(matches, title) }]
  }
}
