import { bucketUnits, extractUnits } from './functions.testing.ts'
import type { Random } from './random.testing.ts'
import { edges } from './subject.testing.ts'

/** Zones with offset changes of an hour, of half an hour, at midnight and of a whole day; and some without. */
export const zones = [
  'UTC',
  'America/New_York',
  'america/new_york',
  'America/Los_Angeles',
  'America/St_Johns',
  'America/Havana',
  'America/Sao_Paulo',
  'America/Toronto',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Asia/Kathmandu',
  'Asia/Beirut',
  'Asia/Tehran',
  'Africa/Casablanca',
  'Europe/London',
  'Europe/Dublin',
  'Etc/GMT+5',
  'Antarctica/Troll',
]

/** Generates values of each type, from fields, constants and functions. */
export class Values {
  readonly arithmetic = ['add', 'subtract', 'multiply', 'divide', 'percentage', 'remainder']
  readonly comparing = ['gt', 'lt', 'gte', 'lte', 'eq']
  readonly random: Random
  expansions = 0

  constructor(random: Random) {
    this.random = random
  }

  numberField(): string {
    if (this.random.chance(0.04)) return 'data.huge'
    return this.random.pick(['id', 'data.cost', 'data.cost', 'data.tax', 'data.tax', 'data.rough'])
  }
  dateField(): string {
    return this.random.pick(['data.at', 'data.at', 'data.end', 'createdAt', 'updatedAt', 'data.old'])
  }
  booleanField(): string {
    return this.random.pick(['data.urgent', 'data.closed'])
  }
  textField(): string {
    return this.random.pick([
      'data.name',
      'data.code',
      'sourceId',
      'data.meta.unit',
      'data.meta.deep.x',
      'data.meta.deep',
      'data.meta.list.1',
      'data.meta.list.-1',
      'data.tags.0',
      'data.scores.1',
      'data.days.0',
      'data.parts.0.n',
      'data.zone.type',
      'data.spot.coordinates.0',
    ])
  }

  numberConstant(): unknown {
    const number = this.random.pick([
      0, 1, 2, 3, -1, 0.5, 2.5, -7, 10, 20.25, 0.1, 100, 1e3, 1483228800000, -0.5, 7,
    ])
    return this.random.chance(0.3) ? String(number) : number
  }

  /** ISO text in one of the forms it may have. */
  isoDate(): string {
    const { random } = this
    const at = random.pick(edges)
    return random.pick([
      at,
      at,
      at.slice(0, 10),
      at.slice(0, 7),
      at.slice(0, 19),
      at.slice(0, 16),
      `${at.slice(0, 19).replace('T', ' ')}+02:00`,
      `${at.slice(0, 19)}.123456Z`,
      `${at.slice(0, 19)}-0430`,
    ])
  }

  constant(): unknown {
    const { random } = this
    return random.pick<unknown>([this.numberConstant(), this.isoDate(), true, false, 'five', 'five', null])
  }

  number(depth: number): unknown {
    const { random } = this
    if (depth <= 0 || random.chance(0.35))
      return random.chance(0.35) ? this.numberConstant() : { field: this.numberField() }
    const generateNumber = () => this.number(depth - 1)
    return random.pick([
      () => ({ function: random.pick(this.arithmetic), arguments: [generateNumber(), generateNumber()] }),
      () => ({ function: random.pick(this.arithmetic), arguments: [generateNumber(), generateNumber()] }),
      () => ({ function: 'round', arguments: [generateNumber()] }),
      () => ({ function: 'extract', arguments: [random.pick(extractUnits), this.date(depth - 1)] }),
      () => ({ function: 'interval', arguments: [this.date(depth - 1), this.date(depth - 1)] }),
      () => this.measure(),
    ])()
  }

  /** Metres: of lines and areas, and between two points. */
  private measure(): unknown {
    const { random } = this
    return random.pick([
      () => ({
        function: 'length',
        arguments: [this.shape(['data.path'], ['LineString', 'MultiLineString'])],
      }),
      () => ({
        function: 'area',
        arguments: [this.shape(['data.zone', 'data.zones'], ['Polygon', 'MultiPolygon'])],
      }),
      () => ({ function: 'area', arguments: [this.box()] }),
      () => ({
        function: 'distance',
        arguments: [{ field: 'data.spot' }, this.shape(['data.spot'], ['Point'])],
      }),
    ])()
  }

  private box(): unknown {
    const { random } = this
    const x = random.below(20) - 10
    const y = 35 + random.below(10)
    return {
      function: 'boundingBox',
      arguments: [x, random.chance(0.3) ? String(y) : y, x + 2.5, y + 1 + random.below(5)],
    }
  }

  private shape(fields: readonly string[], types: readonly string[]): unknown {
    const { random } = this
    if (random.chance(0.6)) return { field: random.pick(fields) }
    const [x, y] = [random.below(40) - 20, 30 + random.below(25)]
    const ring = [
      [x, y],
      [x + 5, y],
      [x + 2, y + 4.5],
      [x, y],
    ]
    const far = ring.map(([a = 0, b = 0]) => [a + 50, b])
    const type = random.pick(types)
    const coordinates = {
      Point: [x, y],
      LineString: ring.slice(0, 3),
      MultiLineString: [ring.slice(0, 3), far],
      Polygon: [ring],
      MultiPolygon: [[ring], [far]],
    }[type]
    return { function: 'geojson', arguments: [JSON.stringify({ type, coordinates })] }
  }

  date(depth: number): unknown {
    const { random } = this
    if (depth <= 0 || random.chance(0.5))
      return random.chance(0.25) ? this.isoDate() : { field: this.dateField() }
    return random.pick([
      () => ({ function: 'bucket', arguments: [random.pick(bucketUnits), this.date(depth - 1)] }),
      () => ({ function: 'bucket', arguments: [random.pick(bucketUnits), this.date(depth - 1)] }),
      () => ({ function: 'now' }),
      () => ({
        function: 'last',
        arguments: [
          random.pick(['P1D', 'P1W', 'PT1H', 'P1Y2M3DT4H5M6.5S', '-P30D', 'P0.5D', 'P20Y', 'PT36H']),
        ],
      }),
    ])()
  }

  boolean(depth: number): unknown {
    const { random } = this
    if (depth <= 0 || random.chance(0.15)) return { field: this.booleanField() }
    const side = () => (random.chance(0.6) ? this.number(depth - 1) : this.date(depth - 1))
    return random.pick([
      () => ({ function: random.pick(this.comparing), arguments: [side(), side()] }),
      () => ({ function: random.pick(this.comparing), arguments: [side(), side()] }),
      () => ({ function: 'intersects', arguments: [this.anyShape(), this.anyShape()] }),
    ])()
  }

  private anyShape(): unknown {
    return this.random.chance(0.2)
      ? this.box()
      : this.shape(
          ['geometry', 'data.spot', 'data.path', 'data.zone', 'data.zones'],
          ['Point', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'],
        )
  }

  expanded(items: 'text' | 'number' | 'date'): unknown {
    const field = { text: 'data.tags', number: 'data.scores', date: 'data.days' }[items]
    return { function: 'expand', arguments: [{ field }] }
  }

  anything(): unknown {
    const { random } = this
    return random.pick([
      () => this.number(1),
      () => this.date(2),
      () => this.boolean(1),
      () => ({ field: this.textField() }),
      () => ({
        field: random.pick([
          'data.tags',
          'data.meta',
          'data.spot',
          'geometry',
          'data.parts',
          'data.spots',
          'data.flags',
        ]),
      }),
      () => this.numberConstant(),
      () => 'five',
    ])()
  }
}
