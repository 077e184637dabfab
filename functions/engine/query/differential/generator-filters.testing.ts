import { Values } from './generator-values.testing.ts'
import { edges, plainRows } from './subject.testing.ts'

type Json = Record<string, unknown>
type Scalar = 'text' | 'number' | 'date' | 'boolean'

/** Generates conditions: every operator, alone and nested. */
export class Filters extends Values {
  filters(): unknown {
    return this.group(this.random.below(3))
  }

  private group(depth: number): unknown {
    const { random } = this
    const member = () => this.group(depth - 1)
    if (depth > 0) {
      return random.pick<() => unknown>([
        () => ({ $and: random.some(0, 3, member) }),
        () => ({ $or: random.some(0, 3, member) }),
        () => ({ $or: random.some(2, 3, member), ...this.atField() }),
        () => ({ $not: member() }),
        () => random.some(0, 3, member),
        () => ({ ...this.atField(), ...this.atField() }),
        () => ({
          data: {
            $or: random.some(1, 2, () => ({
              [random.pick(['tax', 'cost'])]: this.right('number', 'data.cost', 1),
            })),
          },
        }),
      ])()
    }
    if (random.chance(0.12)) return this.boolean(2)
    return random.chance(0.02) ? {} : this.atField()
  }

  private atField(): Json {
    const { random } = this
    const [type, path] = random.pick<() => [Scalar | 'array' | 'other', string]>([
      () => ['number', this.numberField()],
      () => ['number', this.numberField()],
      () => ['text', this.textField()],
      () => ['text', 'data.name'],
      () => ['date', this.dateField()],
      () => ['boolean', this.booleanField()],
      () => ['array', random.pick(['data.tags', 'data.scores', 'data.flags', 'data.days'])],
      () => [
        'other',
        random.pick(['data.meta', 'data.spot', 'geometry', 'data.parts', 'data.spots', 'data.zone']),
      ],
    ])()
    const right =
      type === 'array'
        ? this.createListFilter(path)
        : type === 'other'
          ? random.pick<unknown>([null, { $ne: null }, { $is: null }, { $not: null }, [], { $overlap: [] }])
          : this.right(type, path, 1)
    if (path.startsWith('data.') && random.chance(0.3)) {
      const [, ...keys] = path.split('.')
      return { data: { [keys.join('.')]: right } }
    }
    return { [path]: right }
  }

  /** A random right side for a field type. */
  private right(type: Scalar, path: string, depth: number): unknown {
    const { random } = this
    if (depth > 0 && random.chance(0.12)) {
      const member = () => this.right(type, path, depth - 1)
      return random.pick<() => unknown>([
        () => ({ $or: random.some(1, 3, member) }),
        () => ({ $and: random.some(1, 3, () => this.operation(type, path)) }),
        () => ({ $not: this.operation(type, path) }),
        () => ({ ...this.operation(type, path), ...this.operation(type, path) }),
      ])()
    }
    if (random.chance(0.06)) return null
    if (random.chance(0.2)) return this.side(type, path)
    if (random.chance(0.06)) return random.some(0, 3, () => this.side(type, path))
    return this.operation(type, path)
  }

  private operation(type: Scalar, path: string): Json {
    const { random } = this
    const generateSide = () => this.side(type, path)
    const generateSides = () => random.some(0, 4, generateSide)
    const equality: (() => Json)[] = [
      () => ({ [random.pick(['$eq', '$ne', '$not'])]: random.chance(0.1) ? null : generateSide() }),
      () => ({ [random.pick(['$in', '$notIn', '$any', '$all'])]: generateSides() }),
    ]
    const order: (() => Json)[] = [
      () => ({ [random.pick(['$gt', '$gte', '$lt', '$lte'])]: generateSide() }),
      () => ({ [random.pick(['$gt', '$gte', '$lt', '$lte'])]: generateSide() }),
      () => ({ [random.pick(['$between', '$notBetween'])]: [generateSide(), generateSide()] }),
    ]
    const truth: (() => Json)[] = [
      () => ({ $is: random.pick<unknown>([null, true, false, 'true', 'false', 'null', '']) }),
    ]
    const patterns: (() => Json)[] = [
      () => ({ [random.pick(['$like', '$notLike', '$iLike', '$notILike'])]: this.likes() }),
      () => ({ [random.pick(['$regexp', '$notRegexp', '$iRegexp', '$notIRegexp'])]: this.regexp() }),
    ]
    const kinds = {
      number: [...equality, ...order],
      date: [...equality, ...order],
      text: [...equality, ...order, ...patterns, ...patterns],
      boolean: [...equality, ...truth],
    }
    return random.pick(kinds[type])()
  }

  private likes(): unknown {
    const pickPattern = () =>
      this.random.pick([
        '%',
        'f%',
        'F%',
        '%o%',
        '_ire',
        'A%',
        '%\\%',
        'a\\_b',
        '%_å%',
        'Å%',
        '',
        '%🔥_%',
        '100%',
        '%\n%',
        '$_',
        'a\\\\b',
      ])
    return this.random.chance(0.25) ? { $any: this.random.some(0, 3, pickPattern) } : pickPattern()
  }

  private regexp(): string {
    return this.random.pick([
      '^f',
      'o+d$',
      '[aeiou]{2}',
      '^.$',
      '^$',
      'fire|flood',
      '(a|b)_',
      '\\d+',
      '^\\S+$',
      '[[:digit:]]',
      '[^[:alpha:]]',
      '\\mfire\\M',
      'li.e.b',
      'x*',
      '[%_]',
      '"',
      '\\$\\d',
      '^(?!f)',
      '[A-Z][a-z]+',
      'e(?=$)',
      '\\.',
      'Å',
    ])
  }

  /** A constant that some rows have, perhaps as text; another field; a function. */
  private side(type: Scalar, path: string): unknown {
    const { random } = this
    if (type !== 'text' && random.chance(0.2))
      return type === 'number' ? this.number(2) : type === 'date' ? this.date(2) : this.boolean(2)
    if (type === 'text' && random.chance(0.08)) return { field: this.textField() }
    if (type === 'date' && random.chance(0.5)) return this.isoDate()
    const sample =
      random.pick(plainRows)[path] ?? (type === 'text' ? random.pick(['fire', 'E2', '7', 'p', 5]) : null)
    if (sample === null || typeof sample === 'object')
      return {
        text: 'fire',
        number: this.numberConstant(),
        date: random.pick(edges),
        boolean: random.chance(0.5),
      }[type]
    return type !== 'text' && random.chance(0.3) ? String(sample) : sample
  }

  private createListFilter(path: string): unknown {
    const { random } = this
    const item = () =>
      ({
        'data.tags': random.pick<unknown>(['hot', 'red', '', 'a,b', '"', 5]),
        'data.scores': random.pick<unknown>([0, 1, '2.5', -1]),
        'data.flags': random.pick<unknown>([true, 'false']),
        'data.days': random.pick<unknown>(edges.slice(0, 8)),
      })[path]
    const items = random.some(0, 3, item)
    return random.pick<unknown>([
      null,
      items,
      { $not: items },
      { $eq: items },
      { $ne: items },
      { $overlap: items },
      { $contains: items },
      { $contained: items },
      { $not: { $overlap: items } },
      { $is: null },
    ])
  }
}
