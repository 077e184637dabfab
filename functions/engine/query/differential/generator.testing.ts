import { bucketUnits, extractUnits } from './functions.testing.ts'
import { Filters } from './generator-filters.testing.ts'
import { Random } from './random.testing.ts'
import { mutated } from './mutations.testing.ts'
import { zones } from './generator-values.testing.ts'

/** A query for both implementations. */
export interface Case {
  kind: 'analytics' | 'rows'
  question: unknown
}

type Json = Record<string, unknown>

/** The query for a seed and a number. One in six is invalid. */
export function generateCase(seed: number, index: number): Case {
  const random = new Random(Math.imul(seed, 2_654_435_761) ^ Math.imul(index + 1, 40_503))
  for (let i = 0; i < 4; i++) random.unit()
  const questions = new Questions(random)
  const kind = random.chance(0.6) ? 'analytics' : 'rows'
  const question = kind === 'analytics' ? questions.analytics() : questions.rows()
  return { kind, question: random.chance(1 / 6) ? mutated(question, random) : question }
}

class Questions extends Filters {
  /** Options that every kind of query may have. */
  private options(): Json {
    const { random } = this
    const maybe = (chance: number, key: string, make: () => unknown) =>
      random.chance(chance) ? { [key]: make() } : {}
    const asText = (number: number) => (random.chance(0.3) ? String(number) : number)
    const x = random.below(40) - 20
    const y = 30 + random.below(30)
    return {
      ...maybe(0.5, 'filters', () => this.filters()),
      ...maybe(0.08, 'where', () => this.filters()),
      ...maybe(0.06, 'search', () => random.pick(['fire', 'A', '%', '_', ' e ', 'ÅNG', '0', "'", '\\', ''])),
      ...maybe(0.06, 'before', () => this.loose()),
      ...maybe(0.06, 'after', () => this.loose()),
      ...maybe(0.05, 'within', () => ({
        xmin: asText(x),
        ymin: asText(y),
        xmax: x + 1 + random.below(10),
        ymax: y + 1 + random.below(10),
      })),
      ...maybe(0.03, 'intersects', () =>
        random.pick<Json>([
          { x, y },
          { x: String(x), y: y + 0.5 },
        ]),
      ),
      ...maybe(0.03, 'exclusions', () =>
        random.pick<unknown>(['data', ['data.name', 'id'], 'id, data.cost', []]),
      ),
      ...maybe(0.2, 'limit', () => asText(random.pick([0, 1, 3, 10, 1000]))),
      ...maybe(0.15, 'offset', () => asText(random.pick([0, 1, 5, 50]))),
      ...maybe(0.5, 'timezone', () => random.pick(zones)),
      ...maybe(0.4, 'customYearStart', () => asText(1 + random.below(12))),
    }
  }

  private loose(): unknown {
    return this.random.pick<unknown>([
      this.isoDate(),
      this.isoDate(),
      Date.UTC(2015, this.random.below(100)),
      '2015',
    ])
  }

  rows(): Json {
    const { random } = this
    const orderings = random.some(0, 3, () => ({
      value: this.orderable(),
      direction: random.pick(['asc', 'desc']),
    }))
    return { ...this.options(), ...(orderings.length > 0 ? { orderings } : {}) }
  }

  private orderable(): unknown {
    return this.random.pick([
      () => this.number(2),
      () => this.date(2),
      () => this.boolean(2),
      () => ({ field: this.textField() }),
      () => ({ field: this.random.pick(['data.tags', 'data.scores', 'data.days', 'data.flags']) }),
    ])()
  }

  /** Something to group by. */
  private grouping(): unknown {
    const { random } = this
    return random.pick([
      () => ({ function: 'bucket', arguments: [random.pick(bucketUnits), this.date(1)] }),
      () => ({ function: 'extract', arguments: [random.pick(extractUnits), this.date(1)] }),
      () => ({ field: this.textField() }),
      () => ({ field: this.booleanField() }),
      () => ({
        field: random.pick([
          'data.tax',
          'data.meta',
          'data.tags',
          'data.spot',
          'data.scores',
          'data.parts',
          'id',
        ]),
      }),
      () => this.number(2),
      () => this.boolean(2),
      () => this.list(() => this.expanded('text')),
      () => this.constant(),
    ])()
  }

  /** A value per group: aggregate functions and grouped values, in expressions. */
  private createGroupValue(depth: number, groups: readonly unknown[]): unknown {
    const { random } = this
    if (depth > 0 && random.chance(0.35)) {
      const inner = () => this.createGroupValue(depth - 1, [])
      return random.pick([
        () => ({ function: random.pick(this.arithmetic), arguments: [inner(), inner()] }),
        () => ({ function: random.pick(this.comparing), arguments: [inner(), inner()] }),
        () => ({ function: 'round', arguments: [inner()] }),
        () => ({ function: 'interval', arguments: [this.extreme(), this.extreme()] }),
        () => ({ function: 'extract', arguments: [random.pick(extractUnits), this.extreme()] }),
        () => ({ function: 'bucket', arguments: [random.pick(bucketUnits), this.extreme()] }),
      ])()
    }
    if (groups.length > 0 && random.chance(0.2)) return random.pick(groups)
    if (random.chance(0.08)) return this.constant()
    const inside = () => (random.chance(0.15) ? this.list(() => this.expanded('number')) : this.number(2))
    return random.pick([
      () => ({ function: 'count' }),
      () => ({ function: random.pick(['min', 'max', 'sum', 'average', 'median']), arguments: [inside()] }),
      () => this.extreme(),
      () => ({ function: 'distinctCount', arguments: [this.anything()] }),
    ])()
  }

  private extreme(): unknown {
    const inside = this.random.chance(0.1) ? this.list(() => this.expanded('date')) : this.date(2)
    return { function: this.random.pick(['min', 'max']), arguments: [inside] }
  }

  /** An expanded list, not more than two in a question: each multiplies the rows. */
  private list(make: () => unknown): unknown {
    this.expansions += 1
    return this.expansions > 2 ? { field: 'data.tax' } : make()
  }

  analytics(): Json {
    const { random } = this
    // Null is rejected as a value of its own.
    const groups = random.some(0, 3, () => this.grouping() ?? 'five')
    const outputGroups = groups.filter(() => random.chance(0.7))
    const others = random.some(
      outputGroups.length === 0 ? 1 : 0,
      3,
      () => this.createGroupValue(2, outputGroups) ?? 'five',
    )
    const values = [...outputGroups, ...others]
    const aggregations = values.map((value, i) => ({
      alias: random.chance(0.03)
        ? random.pick(['data', '__proto__', 'constructor', 'c1', 'x-y_Z']) + i
        : `a${i}`,
      value,
      ...(i >= outputGroups.length && random.chance(0.25) ? { filters: this.filters() } : {}),
      ...(random.chance(0.05) ? { name: 'Name', notes: 'Notes' } : {}),
    }))
    const groupings = groups.map((value) => {
      const at = values.indexOf(value)
      const alias = aggregations[at]?.alias
      return alias !== undefined && random.chance(0.6) ? { field: alias } : value
    })
    const plain = values
      .map((value, i) => ({ value, alias: aggregations[i]?.alias }))
      .filter(({ value }) => isOrderable(value))
    const orderings = random.some(0, 2, () => {
      const one = plain.length > 0 ? random.pick(plain) : undefined
      const value =
        one && random.chance(0.8)
          ? random.chance(0.5)
            ? { field: one.alias }
            : one.value
          : { function: 'count' }
      return { value, direction: random.pick(['asc', 'desc']) }
    })
    return {
      ...this.options(),
      aggregations,
      ...(groupings.length > 0 ? { groupings } : {}),
      ...(orderings.length > 0 ? { orderings } : {}),
    }
  }
}

/** Maps and geometries have an order of the database's own. */
function isOrderable(value: unknown): boolean {
  const field = typeof value === 'object' && value !== null && 'field' in value ? value.field : undefined
  return (
    !['data.meta', 'data.spot', 'data.parts', 'geometry'].includes(String(field)) &&
    !/geojson|boundingBox/.test(JSON.stringify(value)?.slice(0, 30) ?? '')
  )
}
