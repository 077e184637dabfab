/** The arguments of a `meta` function that are used here. */
interface MetaInput<Data> {
  data: Data | undefined
  matches: readonly { id: string; data?: unknown }[]
}

interface RootHead {
  main?: { place?: { displayName: string } | null } | null
  hub?: { place: { displayName: string } } | null
}

/** 'title · place display name', of the hub or the active place; without one the product's name. */
export function titleIn(matches: MetaInput<unknown>['matches'], title: string): string {
  const root = matches.find((match) => match.id === 'root')?.data as RootHead | undefined
  const place = root?.hub?.place ?? root?.main?.place
  return `${title} · ${place?.displayName ?? 'Commonplace'}`
}

/** The document title of a workspace screen. */
export function placeTitle<Data>(pageTitle: string | ((data: Data) => string)) {
  return ({ data, matches }: MetaInput<Data>) => {
    const title = typeof pageTitle === 'string' ? pageTitle : data === undefined ? 'Error' : pageTitle(data)
    return [{ title: titleIn(matches, title) }]
  }
}
