import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/*
 * For each rule about statements a fault that disables it in the product: where, and the rules of the
 * independent check that must detect it.
 */

interface Fault {
  is: string
  file: string
  /** The code that occurs exactly once, and its replacement. */
  from: string
  to: string
  /** At least one of these rules must be broken. */
  expectedRules: string[]
  /** The number of figures needed to detect it, where the fault shows rarely. */
  figures?: number
}

const chart = (name: string) => `functions/engine/chart/${name}.ts`

export const faults: Fault[] = [
  {
    is: 'a range of some is told as one of all',
    file: chart('claim-words'),
    from: 'return of.complete ? name : this',
    to: 'return of ? name : this',
    expectedRules: ['cut'],
  },
  {
    is: 'rows that a limit left out are not mentioned',
    file: chart('claim-words'),
    from: 'if (of.complete) return sentence',
    to: 'if (of) return sentence',
    expectedRules: ['cut'],
  },
  {
    is: 'of some that nobody ordered by size a largest is told',
    file: chart('claim'),
    from: '(!first || common.of.rank === null)',
    to: '!first',
    expectedRules: ['whole'],
  },
  {
    is: 'the largest are told after some were skipped',
    file: chart('claim'),
    from: 'first && skipped === undefined && alias',
    to: 'first && alias',
    expectedRules: ['rank'],
  },
  {
    is: 'the smallest are called the largest',
    file: chart('claim'),
    from: "=== 'desc' ? 'largest' : 'smallest'",
    to: "=== 'asc' ? 'largest' : 'smallest'",
    expectedRules: ['rank'],
  },
  {
    is: 'years, months and weeks that the data do not cover are compared',
    file: chart('periods'),
    from: "return isCovered ? 'whole' : 'partial'",
    to: "return isCovered ? 'whole' : 'whole'",
    expectedRules: ['partial'],
  },
  {
    is: 'days and hours that the data do not cover are compared',
    file: chart('periods'),
    from: "dayAt(start)) ? 'whole' : 'partial'",
    to: "dayAt(start)) ? 'whole' : 'whole'",
    expectedRules: ['partial days'],
  },
  {
    is: 'cells of a grid that the data do not cover are compared',
    file: chart('find-claim'),
    from: 'operands.filter((operand) => operand.isWhole)',
    to: 'operands.filter(() => true)',
    expectedRules: ['partial', 'partial days'],
    figures: 4000,
  },
  {
    is: 'months are compared from end to end',
    file: chart('claim-time'),
    from: 'if (yearly.has(bucket)) return',
    to: 'if (bucket) return',
    expectedRules: ['seasonal'],
  },
  {
    is: 'what rose is said to have fallen',
    file: chart('claim-time'),
    from: "now > before ? 'rose' : 'fell'",
    to: "now < before ? 'rose' : 'fell'",
    expectedRules: ['direction'],
  },
  {
    is: 'what differs is told as the same',
    file: chart('claim-time'),
    from: "if (before === now) return 'same'",
    to: "if (before !== now) return 'same'",
    expectedRules: ['same', 'groups'],
  },
  {
    is: 'a peak is left out',
    file: chart('claim-time'),
    from: '(isDipFirst ? dip || peak : peak || dip) || null',
    to: 'null',
    expectedRules: ['turns'],
  },
  {
    is: 'means are added up',
    file: chart('claim'),
    from: '=> additive.has(measure.function)',
    to: '=> measure !== null',
    expectedRules: ['added'],
  },
  {
    is: 'the largest is not the largest',
    file: chart('claim'),
    from: 'high = Math.max(high, value)',
    to: 'high = value',
    expectedRules: ['extremes'],
  },
  {
    is: 'the largest share is not the largest',
    file: chart('pie'),
    from: '[...sums].sort((a, b) => b[1] - a[1])',
    to: '[...sums].sort((a, b) => a[1] - b[1])',
    expectedRules: ['extremes'],
  },
  {
    is: 'the fullest range is not the fullest',
    file: chart('find-claim'),
    from: 'b.count > a.count ? b : a',
    to: 'b.count < a.count ? b : a',
    expectedRules: ['extremes'],
  },
  {
    is: 'one of those that share a value is not counted',
    file: chart('claim-words'),
    from: "withOthers(first ?? '', more.length + 1)",
    to: "withOthers(first ?? '', more.length)",
    expectedRules: ['numbers'],
  },
  {
    is: 'one more case is counted',
    file: chart('claim'),
    from: 'cases: operands.length, when',
    to: 'cases: operands.length + 1, when',
    expectedRules: ['numbers'],
  },
  {
    is: 'no data, where a limit left them out',
    file: chart('find-claim'),
    from: "return isCut(input) && (claim?.kind ?? 'nothing') === 'nothing'",
    to: "return isCut(input) && claim?.kind === 'cut'",
    expectedRules: ['empty', 'cut'],
  },
  {
    is: 'days are told by the clock of another place',
    file: chart('local-time'),
    from: '() => wallTime(instant, timeZone)',
    to: '() => instant + 43_200_000',
    expectedRules: ['groups', 'extremes'],
  },
]

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Returns the code of a module with a fault; throws unless the code to change occurs exactly once. */
export function withFault({ is, from, to }: Fault, code: string): string {
  const [before, after, ...more] = code.split(from)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`“${is}” does not know where it belongs.`)
  return `${before}${to}${after}`
}

/** Returns the unchanged source of the module that a fault changes. */
export const readModule = ({ file }: Fault): string => readFileSync(`${root}${file}`, 'utf8')
