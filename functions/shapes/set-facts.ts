import type { IsoFacts } from './boundary-set.ts'

interface SetFacts {
  areaCount: number | null
  iso: IsoFacts | null
  disputes: readonly string[]
}

const maxNamed = 3

/** Sentences for people about what a built-in set has and has not, and about its disputed borders; '' where nothing is known. */
export const factsOfSet = ({ areaCount, iso, disputes }: SetFacts): string =>
  [...(iso ? [describeIsoComparison(iso, areaCount)] : []), ...disputes].join(' ')

function describeIsoComparison({ missing, own, recoded }: IsoFacts, areaCount: number | null): string {
  if (missing.count + own.count + recoded.count === 0) return 'The regions and codes are those of ISO 3166-2.'
  if (own.count === areaCount && missing.count === 0) return 'ISO 3166-2 has none of these regions.'
  const parts = [
    ...(missing.count > 0
      ? [`${missing.count} ${missing.count === 1 ? 'is' : 'are'} missing (${joinNames(missing)})`]
      : []),
    ...(own.count > 0
      ? [`${own.count} ${own.count === 1 ? 'is' : 'are'} not in it (${joinNames(own)})`]
      : []),
    ...(recoded.count > 0
      ? [
          `${recoded.count} ${recoded.count === 1 ? 'has' : 'have'} another code there (${joinNames(recoded)})`,
        ]
      : []),
  ]
  return `Compared with ISO 3166-2: ${parts.join('; ')}.`
}

const joinNames = ({ count, first }: IsoFacts['own']) =>
  [...first.slice(0, maxNamed).map(({ name }) => name), ...(count > maxNamed ? ['…'] : [])].join(', ')
