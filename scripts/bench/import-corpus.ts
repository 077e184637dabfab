import type { FieldSchema } from '#functions/shapes/field.ts'

/**
 * The fields of the bench's records: flights, each with a point, as `importMapping` makes them from the rows.
 */
export const schema: FieldSchema = {
  id: { name: 'Id', type: 'text', validation: { required: true } },
  origin: { name: 'Origin', type: 'text' },
  state: { name: 'State', type: 'text' },
  kind: { name: 'Kind', type: 'text' },
  delay: { name: 'Delay', type: 'number' },
  distance: { name: 'Distance', type: 'number', validation: { min: 0 } },
  late: { name: 'Late', type: 'boolean' },
  at: { name: 'Departed', type: 'date' },
  spot: { name: 'Spot', type: 'point' },
  notes: { name: 'Notes', type: 'text' },
}

const same = ['id', 'origin', 'state', 'kind', 'delay', 'distance', 'late', 'at', 'notes']

export const mapping = {
  ...Object.fromEntries(same.map((field) => [field, { field }])),
  spot: { transform: 'createPoint', arguments: [{ field: 'longitude' }, { field: 'latitude' }] },
}

/**
 * Generates so many rows as CSV with a header, in chunks of some 100 kB; deterministic. Each row has about 80
 * bytes plus `notes` characters of notes.
 */
export function* csvChunks(rows: number, notes = 0): Generator<Buffer> {
  const filler = 'Delayed by weather on the way. '.repeat(Math.ceil(notes / 31)).slice(0, notes)
  let text = `${[...same, 'longitude', 'latitude'].join(',')}\n`
  for (const flight of generateFlights(rows)) {
    const { id, origin, state, kind, delay, distance, late, at, longitude, latitude } = flight
    text += `${id},${origin},${state},${kind},${delay},${distance},${late},${at},${filler},${longitude},${latitude}\n`
    if (text.length > 100_000) {
      yield Buffer.from(text)
      text = ''
    }
  }
  if (text) yield Buffer.from(text)
}

/** Generates so many flights; deterministic. */
export function* generateFlights(rows: number) {
  let state = 1
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 8) % below
  }
  for (let n = 0; n < rows; n++) {
    const delay = random(300) - 60
    const at = new Date(Date.UTC(2001, 0, 1) + random(365 * 1440) * 60_000).toISOString()
    // Points cluster around forty towns.
    const town = random(40)
    const longitude = (-120 + town * 1.3 + random(10_000) / 20_000).toFixed(5)
    const latitude = (28 + ((town * 7) % 20) + random(10_000) / 20_000).toFixed(5)
    const origin = `A${random(120)}`
    const kind = ['jet', 'prop', 'mail'][random(3)]
    const distance = random(4000)
    yield {
      ...{ id: `f${n}`, origin, state: `S${town}`, kind, delay, distance, late: delay > 15, at },
      ...{ longitude, latitude },
    }
  }
}
