import type { OutputField } from '#functions/shapes/analytics.ts'
import { findDatePart } from '#functions/shapes/field.ts'
import { plural } from '#functions/shapes/plural.ts'
import type { Claim, Groups, Mark, Measure, Operand } from './claim.ts'
import { formatValue } from './format.ts'
import type { ChartInput } from './frame.ts'
import { findDateBucket } from './local-time.ts'
import { formatOptions, formatMeasure } from './measure.ts'
import { getPhrases } from './phrases.ts'
import { chartTypes } from './type/index.ts'
import type { Phrases, WhereKind } from '#functions/shapes/language/phrases.ts'

/** The context of a sentence: language, time zone, and columns. */
type SentenceContext = Pick<ChartInput, 'output' | 'locale' | 'timeZone' | 'visualization' | 'title' | 'rows'>

const whereKinds: Record<string, WhereKind> = {
  hourOfDay: 'clock',
  dayOfWeek: 'weekday',
  decade: 'decade',
  month: 'in',
  year: 'in',
  customYear: 'in',
  quarter: 'quarter',
}

/** The preposition for a value of a field. */
function getWhereKind(field: OutputField | undefined): WhereKind {
  if (field?.type !== 'date') return whereKinds[findDatePart(field) ?? ''] ?? 'for'
  const bucket = findDateBucket(field)
  switch (bucket) {
    case 'week':
    case 'decade':
    case 'quarter':
    case 'day':
      return bucket
    case 'month':
    case 'customQuarter':
    case 'year':
    case 'customYear':
      return 'in'
    case 'hour':
    case 'minute':
    case 'second':
      return 'moment'
    case undefined:
      return 'day'
  }
}

/** A formatted number of things. */
const countText = (count: number, writing: SentenceContext): string =>
  formatValue(count, { name: '', type: 'number' }, formatOptions(writing))

/** The formatted total number of rows. */
function totalText({ groups, estimated }: Groups, writing: SentenceContext): string {
  const text = countText(groups, writing)
  return estimated ? getPhrases(writing.locale).about(text) : text
}

/** Words in a column's name that already state its aggregate function. */
const wordPatterns: Partial<Record<string, RegExp>> = {
  average: /\b(average|mean|avg|promedio|medias?|medi[oa]s?|moyennes?)\b|متوسط|معدل/iu,
  median: /\b(median|mediana|médiane)\b|وسيط/iu,
  min: /\b(min(imum|imo|ima)?|smallest|lowest|least|first|earliest|menor|plus bas(se)?)\b|أدنى|أقل/iu,
  max: /\b(max(imum|imo|ima)?|largest|highest|most|last|latest|mayor|plus haute?)\b|أعلى|أكبر/iu,
  distinctCount: /\b(different|distinct|unique|distint[oa]s|únic[oa]s|distinct[es]*)\b|مختلف|فريد/iu,
}

/** Whether a group is that of missing values. */
const isWithout = (mark: Mark): boolean =>
  'value' in mark && (mark.value === null || mark.value === undefined || mark.value === '')

/** The name of a measure, with its aggregate function unless the name states it. */
function formatMeasureName({ name, function: of }: Measure, { functions, values }: Phrases): string {
  const own = name === '' ? values : name
  if (of === undefined || of === 'count' || of === 'sum' || wordPatterns[of]?.test(own)) return own
  return `${own} (${functions[of]})`
}

class Words {
  readonly phrases: Phrases
  readonly claim: Claim
  readonly writing: SentenceContext

  constructor(claim: Claim, writing: SentenceContext) {
    this.claim = claim
    this.writing = writing
    this.phrases = getPhrases(writing.locale)
  }

  /** A group in a sentence: `in 2012`, `on Mon`, `for Drought`, `without Kind` where its value is missing. */
  private mark(mark: Mark): string {
    const { where } = this.phrases
    const { schema } = this.writing.output
    if ('measure' in mark) return where.for(schema[mark.measure]?.name ?? mark.measure)
    const { alias } = mark
    const field = schema[alias]
    if (isWithout(mark)) return where.without(field?.name ?? '')
    return where[getWhereKind(field)](this.text(mark))
  }

  private text({ alias, value }: { alias: string; value: unknown }): string {
    return formatValue(value, this.writing.output.schema[alias], formatOptions(this.writing))
  }

  /**
   * An operand in a sentence, with all of its groups: `for Flood (2012)`, in a grid `for Jul, 16:00`, and with a missing
   * value `for Jul, without Kind`: a dash could be read as punctuation.
   */
  private place({ at }: Pick<Operand, 'at'>): string {
    const [first, second] = at
    if (!first) return ''
    if (!second || 'measure' in first || 'measure' in second) return this.mark(first)
    const beside = isWithout(second) ? this.mark(second) : this.text(second)
    if (!chartTypes[this.writing.visualization.type].isGrid) return `${this.mark(first)} (${beside})`
    if (isWithout(first)) return `${this.mark(first)}, ${beside}`
    return this.phrases.where.for(`${this.text(first)}, ${beside}`)
  }

  /** Operands with the same value: `for Drought`, `for Drought and for Flood`, `for Drought and 2 others`. */
  private places(operands: Operand[]): string {
    const [first, second, ...more] = operands.map((each) => this.place(each))
    const { both, withOthers } = this.phrases
    if (second === undefined) return first ?? ''
    return more.length === 0 ? both(first ?? '', second) : withOthers(first ?? '', more.length + 1)
  }

  private value({ field, decimals }: Measure, value: number): string {
    return formatMeasure(value, field, this.writing, { decimals })
  }

  /** The subject of a sentence: the measure, and for a truncated answer which groups of how many. */
  private subject(measure: Measure, count: number): string {
    const { of } = this.claim
    const name = formatMeasureName(measure, this.phrases)
    return of.complete ? name : this.phrases.ofCut(name, count, totalText(of, this.writing), of.rank)
  }

  /** A sentence about rows; for a truncated answer with their number and the total. */
  private addRowCount(sentence: string): string {
    const { of } = this.claim
    if (of.complete) return sentence
    const text = this.phrases.cut(countText(of.shownCount, this.writing), totalText(of, this.writing))
    return sentence ? `${sentence} ${text}` : text
  }

  sentence(): string {
    const { claim, phrases } = this
    switch (claim.kind) {
      case 'nothing':
        return phrases.nothing
      case 'cut':
        return this.addRowCount('')
      case 'level':
        return this.level(claim)
      case 'change':
        return this.change(claim)
      case 'between': {
        const { measure, operands } = claim
        const [least, most] = [operands.least, operands.most].map(
          (each) => [this.value(measure, each[0]?.value ?? 0), this.places(each)] as const,
        )
        const [low = '', high = ''] = [least, most].map((each) => each?.[0])
        return this.addRowCount(
          phrases.between(formatMeasureName(measure, phrases), low, least?.[1] ?? '', high, most?.[1] ?? ''),
        )
      }
      case 'range':
        return this.range(claim)
      case 'share':
        return this.share(claim)
      case 'bin':
        return this.bin(claim)
      case 'count':
        return this.addRowCount(plural(phrases[claim.what], claim.count, this.writing.locale))
      case 'pairs': {
        const { schema } = this.writing.output
        const [x, y] = [claim.x, claim.y].map((alias) => schema[alias]?.name ?? alias)
        const pairs = plural(phrases.compared, claim.count, this.writing.locale)
        return this.addRowCount(`${pairs} ${phrases.comparing(x ?? '', y ?? '')}`)
      }
    }
  }

  private level({ measure, operands, isPartial, isExact }: Extract<Claim, { kind: 'level' }>): string {
    const { phrases } = this
    const [{ value }] = operands
    const text = isExact ? formatMeasure(value, measure.field, this.writing) : this.value(measure, value)
    const where = this.place(operands[0])
    // For a single group the claim says which one of how many it is, for a time the number of times.
    if (isExact) return phrases.came(this.subject(measure, 1), text, where)
    return this.addRowCount(
      phrases.came(
        formatMeasureName(measure, phrases),
        text,
        isPartial ? `${where} (${phrases.partial})` : where,
      ),
    )
  }

  private change(claim: Extract<Claim, { kind: 'change' }>): string {
    const { measure, direction, operands, turn } = claim
    const { phrases } = this
    const name = formatMeasureName(measure, phrases)
    const [before, now] = operands.map(({ value }) => this.value(measure, value))
    const [then, when] = operands.map((each) => this.place(each))
    const content = { name, before: before ?? '', then: then ?? '', now: now ?? '', when: when ?? '' }
    const beyond = turn
      ? phrases.turned[turn.kind](this.value(measure, turn.operand.value), this.place(turn.operand))
      : ''
    if (direction === 'same' || direction === 'alike') {
      const phrase = direction === 'same' ? phrases.unchanged : phrases.alike
      return this.addRowCount(phrase(name, content.now, content.when, content.then, beyond))
    }
    return this.addRowCount(phrases.changed({ ...content, isRise: direction === 'rose', turn: beyond }))
  }

  private range({ measure, operands, cases, when }: Extract<Claim, { kind: 'range' }>): string {
    const { phrases } = this
    const { most, least } = operands
    const [high, low] = [most[0]?.value ?? 0, least[0]?.value ?? 0]
    const subject = this.subject(measure, cases)
    const at = when ? this.mark(when) : ''
    if (cases === 1)
      return phrases.came(
        subject,
        this.value(measure, high),
        [this.places(most), at].filter(Boolean).join(' '),
      )
    if (high === low) return phrases.allSame(subject, this.value(measure, high), cases, at)
    return phrases.ranged(
      ...([subject, this.value(measure, high), this.places(most)] as const),
      ...([this.value(measure, low), this.places(least), at] as const),
    )
  }

  private share({ measure, part, slice, parts, equal }: Extract<Claim, { kind: 'share' }>): string {
    const { phrases, writing } = this
    const name = formatMeasureName(measure, phrases)
    const alias = 'alias' in part ? part.alias : ''
    const isNone = 'value' in part && part.value === null
    const subject = isNone ? phrases.partWithout(writing.output.schema[alias]?.name ?? alias) : slice.name
    if (parts === 1) return phrases.wholePart(subject, name)
    const shareField: OutputField = {
      name: '',
      type: 'number',
      measurement: { type: 'percentage', value: 'decimal' },
    }
    const share = formatValue(slice.share, shareField, formatOptions(writing))
    const [one] = equal
    const besides = equal.length === 1 ? phrases.besides(one?.name ?? '') : phrases.besidesMany(equal.length)
    return phrases.part(subject, share, name, parts, one === undefined ? '' : besides)
  }

  private bin(claim: Extract<Claim, { kind: 'bin' }>): string {
    const { measure, count, total, rest } = claim
    const [low = '', high = ''] = [claim.low, claim.high].map((edge) =>
      formatMeasure(edge, measure.field, this.writing),
    )
    const sentence = this.phrases.bin({
      ...{ name: formatMeasureName(measure, this.phrases), count, counted: countText(count, this.writing) },
      ...{ total, low, high, rest },
    })
    return this.addRowCount(sentence)
  }
}

/** A claim as one sentence in the language of the locale, with its numbers and dates. */
export function claimWords(claim: Claim, writing: SentenceContext): string {
  const sentence = new Words(claim, writing).sentence()
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
