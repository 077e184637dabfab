/** What two sources can have in common, the strongest first. */
const bonds = ['story', 'domain', 'place', 'columns', 'topic'] as const
export type Bond = (typeof bonds)[number]

/** The weight of one common thing that few sources have. */
const worth: Record<Bond, number> = { story: 6, domain: 3, place: 2.5, columns: 2, topic: 1 }
/** The most sources per common thing that are compared, those that follow the given one: this bounds the work per source. */
const maxLookedAt = 60
/** The most things of a kind that are compared per source. */
const maxOfKind = 40

/** A source with the things it may share: `key` identifies a thing within its kind, `name` is for display. */
export interface Relatable {
  id: string
  has: Record<Bond, readonly { key: string; name: string }[]>
}

/** An index of sources by their things. Built once for all sources of a hub. */
export interface RelatedIndex {
  sources: readonly Relatable[]
  /** Their places in `sources`. */
  places: ReadonlyMap<string, number>
  /** By bond and key, the places of the sources that have it, in their order. */
  holders: ReadonlyMap<string, readonly number[]>
}

/** A source that is related, and why: the strongest bond with the names of what both have, the rarest first. */
export interface RelatedTo {
  id: string
  bond: Bond
  names: string[]
}

const buildBondKey = (bond: Bond, key: string) => `${bond} ${key}`

/** Puts sources into an index, in their order. */
export function indexRelated(sources: readonly Relatable[]): RelatedIndex {
  const holders = new Map<string, number[]>()
  sources.forEach(({ has }, place) => {
    for (const bond of bonds)
      for (const key of new Set(has[bond].slice(0, maxOfKind).map((each) => buildBondKey(bond, each.key)))) {
        const of = holders.get(key)
        if (of) of.push(place)
        else holders.set(key, [place])
      }
  })
  return { sources, places: new Map(sources.map(({ id }, place) => [id, place])), holders }
}

/** The score of another source by bond, and the names of what both have. */
type Reasons = Map<Bond, { score: number; names: string[] }>

/**
 * The sources that have most in common with one, best first, at most `most`: rare things count more, and what nearly all
 * have (of five or more) counts only for stories and domains. Empty where nothing is in common. Takes at most some
 * thousand steps, however many sources there are.
 */
export function relatedTo(index: RelatedIndex, id: string, most: number): RelatedTo[] {
  const { sources, places, holders } = index
  const place = places.get(id)
  const own = place === undefined ? undefined : sources[place]
  if (place === undefined || !own) return []
  const reasonsByHub = new Map<number, Reasons>()
  for (const bond of bonds) {
    const shared = own.has[bond]
      .slice(0, maxOfKind)
      .flatMap(({ key, name }) => {
        const of = holders.get(buildBondKey(bond, key)) ?? []
        return saysNothing(bond, of.length, sources.length) ? [] : [{ name, of }]
      })
      .sort((a, b) => a.of.length - b.of.length || (a.name < b.name ? -1 : 1))
    for (const { name, of } of shared) {
      const value = worth[bond] / (1 + Math.log2(of.length))
      for (const other of behind(of, place)) {
        const reasons: Reasons = reasonsByHub.get(other) ?? new Map()
        const { score, names } = reasons.get(bond) ?? { score: 0, names: [] }
        reasonsByHub.set(
          other,
          reasons.set(bond, { score: score + computeWorth(names.length, value), names: [...names, name] }),
        )
      }
    }
  }
  return [...reasonsByHub]
    .map(([other, reasons]) => {
      // Only the strongest bond is stated: common columns within a domain need no mention.
      const bond = bonds.find((each) => reasons.has(each)) ?? 'topic'
      const score = [...reasons.values()].reduce((sum, reason) => sum + reason.score, 0)
      return { other, score, bond, names: reasons.get(bond)?.names ?? [] }
    })
    .sort((a, b) => b.score - a.score || a.other - b.other)
    .slice(0, most)
    .map(({ other, bond, names }) => ({ id: sources[other]?.id ?? '', bond, names }))
}

/** Only the first two common things of a kind count: thirty regions say little more than two. */
const computeWorth = (before: number, value: number) => (before < 2 ? value : 0)

const saysNothing = (bond: Bond, holders: number, all: number) =>
  holders < 2 || (bond !== 'story' && bond !== 'domain' && all >= 5 && holders > 0.8 * all)

/** The other items of a list, from the one after `place` on and around, so that each of many is compared with others. */
function behind(list: readonly number[], place: number): number[] {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? 0) < place) low = middle + 1
    else high = middle
  }
  const others = list.slice(low + 1, low + 1 + maxLookedAt)
  return [...others, ...list.slice(0, Math.min(low, maxLookedAt - others.length))]
}
