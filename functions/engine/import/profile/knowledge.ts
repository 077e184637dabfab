import type { Field } from '#functions/shapes/field.ts'
import type { ColumnProfile } from './column.ts'
import { headUnit } from './head-unit.ts'
import { toHeaderWords } from './keys.ts'
import { toCodedValues, regionWritings, stateNumbers, type RegionWriting } from './regions.ts'

/** Proposed descriptive properties of a field, and the reasons as sentences. */
interface ProposedKnowledge {
  field: Partial<Field>
  notes: string[]
}

const none: ProposedKnowledge = { field: {}, notes: [] }

/** Properties of a field beyond its type, by header and values of a column; empty without evidence. */
export function proposeKnowledge(
  column: ColumnProfile,
  header: string,
  field: Omit<Field, 'name'>,
): ProposedKnowledge {
  if (column.values === 0) return none
  const parts = [unitIn(header, field), additiveIn(column, header, field), regionIn(column, header, field)]
  return {
    field: Object.assign({}, ...parts.map((part) => part.field)) as Partial<Field>,
    notes: parts.flatMap((part) => part.notes),
  }
}

function unitIn(header: string, { type, measurement }: Omit<Field, 'name'>): ProposedKnowledge {
  const match = type === 'number' && !measurement ? headUnit(header) : null
  if (!match) return none
  const { unit, measurement: measured } = match
  return {
    field: measured ? { measurement: measured } : { unit },
    notes: [`Its head says that the unit is ${unit}.`],
  }
}

/** Events, whose counts can be summed over any groups. Stocks at a time (people, beds) cannot. */
const events =
  /\b(?:injur(?:y|ies|ed)|killed|deaths?|fatalit(?:y|ies)|casualt(?:y|ies)|crash(?:es)?|collisions?|accidents?|incidents?|arrests?|births|trips|rides|boardings|alightings|visits|strikes|calls|complaints)\b/
const counts =
  /\b(?:number|no|num|nr|count|qty|quantity) (?:of )?\w+|\w+ (?:count|killed|injured)$|^(?:killed|injured|injuries|deaths|fatalities|casualties)$/
/** Rates, running totals and differences, whose sum has no meaning. */
const notAdditive =
  /\b(?:rate|ratio|share|percent|pct|per|average|avg|mean|median|cumulative|cum|running|total|index|rank|change|days|age)\b/

function additiveIn(
  { fits }: ColumnProfile,
  header: string,
  { type, measurement }: Omit<Field, 'name'>,
): ProposedKnowledge {
  const words = toHeaderWords(header)
  const isCount =
    type === 'number' &&
    !measurement &&
    fits.integer.ratio === 1 &&
    Number(fits.number.least) >= 0 &&
    counts.test(words) &&
    events.test(words) &&
    !notAdditive.test(words)
  if (!isCount) return none
  return {
    field: { additive: true },
    notes: ['Whole numbers whose name says that they count what happened: they may be added up.'],
  }
}

const minOfSet = 3
const minShare = 0.8

function regionIn(column: ColumnProfile, header: string, { type }: Omit<Field, 'name'>): ProposedKnowledge {
  if (type !== 'text' && type !== 'number') return none
  const words = toHeaderWords(header)
  return countyIn(column, words) ?? (type === 'text' ? matchRegionSet(column, words) : null) ?? none
}

/** Five digits that begin with the number of a state, in a column whose name has FIPS or county. */
function countyIn({ ranges, fits, top }: ColumnProfile, words: string): ProposedKnowledge | null {
  const isFive = ranges.length?.[0] === 5 && ranges.length[1] === 5 && fits.integer.ratio === 1
  if (!isFive || !/\b(?:fips|geoid|county|counties)\b/.test(words)) return null
  if (!top.every(({ value }) => stateNumbers.has(value.trim().slice(0, 2)))) return null
  return {
    field: { region: 'us-counties' },
    notes: ['All have five digits and begin with the number of a state: FIPS codes of counties.'],
  }
}

/** All distinct values are matched: four fifths if the header names the set, otherwise all of them. */
function matchRegionSet({ all }: ColumnProfile, words: string): ProposedKnowledge | null {
  if (all === null) return null
  const values = [...new Set(all.map((value) => value.trim()))]
  const match = regionWritings()
    .map((writing) => ({
      writing,
      others: values.filter((value) => !writing.knownCodes.has(value.toLowerCase())),
    }))
    .filter(({ writing, others }) => isEnough(writing, values.length, others.length, words))
    .sort((a, b) => a.others.length - b.others.length)[0]
  if (!match) return null
  const { writing, others } = match
  const { set, words: prefix, names } = writing
  const text = `${values.length - others.length} of its ${values.length} different values are ${prefix}`
  const rest =
    others.length > 0 ? `; not: ${others.slice(0, 5).join(', ')}${others.length > 5 ? ', …' : ''}` : ''
  // Codes in another case than the set has them are found on maps, but their names would not be.
  const isWritten = names !== null && values.some((value) => names.has(value))
  return {
    field: { region: set, ...(isWritten && { values: toCodedValues(writing) }) },
    notes: [`${text}${rest}.${isWritten ? ' Charts and tables show their names.' : ''}`],
  }
}

function isEnough(
  { header, needsHeader }: RegionWriting,
  all: number,
  others: number,
  words: string,
): boolean {
  if (header.test(words)) return all > others && (all - others) / all >= minShare
  return !needsHeader && others === 0 && all >= minOfSet
}
