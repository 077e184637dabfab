import { csv, instant, json, number, point, text } from './readers.ts'

type Row = Record<string, unknown>
const milesToKilometres = 1.609344

/** The days of Seattle's weather. */
export const seattleWeather = (): Row[] =>
  csv('seattle-weather.csv').map((row) => ({
    id: row.date,
    day: row.date,
    precipitation: number(row.precipitation),
    maximum: number(row.temp_max),
    minimum: number(row.temp_min),
    wind: number(row.wind),
    weather: text(row.weather),
  }))

/** The climate normals of each hour; the year 2010 stands for any year. */
export const seattleClimate = (): Row[] =>
  csv('seattle-weather-hourly-normals.csv').map((row) => ({
    id: row.date,
    hour: instant(row.date ?? '', 'Etc/GMT+8'),
    temperature: number(row.temperature),
    pressure: number(row.pressure),
    wind: number(row.wind),
  }))

export const airports = (isIncluded: (row: Record<string, string>) => boolean): Row[] =>
  csv('airports.csv')
    .filter(isIncluded)
    .map((row) => ({
      id: row.iata,
      name: row.name,
      city: text(row.city),
      state: text(row.state),
      country: text(row.country),
      location: point(number(row.longitude), number(row.latitude)),
    }))

export const postalAreas = (): Row[] =>
  csv('zipcodes.csv').map((row) => ({
    id: row.zip_code,
    city: text(row.city),
    county: text(row.county),
    state: text(row.state),
    location: point(number(row.longitude), number(row.latitude)),
  }))

/** Flights, located at their origin airport; distances in the file are in miles. */
export function readFlights(): Row[] {
  const origins = new Map(
    csv('airports.csv').map((row) => [row.iata, point(number(row.longitude), number(row.latitude))]),
  )
  const rows =
    json<{ date: string; delay: number; distance: number; origin: string; destination: string }[]>(
      'flights-20k.json',
    )
  return rows.map((row, i) => ({
    id: String(i + 1),
    departure: instant(`${row.date.replaceAll('/', '-').replace(' ', 'T')}:00`, 'America/New_York'),
    origin: row.origin,
    destination: row.destination,
    delay: row.delay,
    distance: Math.round(row.distance * milesToKilometres),
    location: origins.get(row.origin) ?? null,
  }))
}

export const wildlifeStrikes = (isIncluded: (row: Record<string, string>) => boolean): Row[] =>
  csv('birdstrikes.csv')
    .map((row, i): [Record<string, string>, string] => [row, String(i + 1)])
    .filter(([row]) => isIncluded(row))
    .map(([row, id]) => ({
      id,
      day: row['Flight Date'],
      airport: text(row['Airport Name']),
      state: text(row['Origin State']),
      operator: text(row['Aircraft Airline Operator']),
      aircraft: text(row['Aircraft Make Model']),
      phase: text(row['Phase of flight']),
      species: text(row['Wildlife Species']),
      size: text(row['Wildlife Size']),
      timeOfDay: text(row['Time of day']),
      damage: text(row['Effect Amount of damage']),
      cost: number(row['Cost Total $']),
    }))

export const capitals = (): Row[] =>
  json<{ lon: number; lat: number; state: string; city: string }[]>('us-state-capitals.json').map((row) => ({
    id: row.state,
    city: row.city,
    location: point(row.lon, row.lat),
  }))

export const countryDevelopment = (): Row[] =>
  json<{ year: number; country: string; pop: number; life_expect: number; fertility: number }[]>(
    'gapminder.json',
  ).map((row) => ({
    id: `${row.country} ${row.year}`,
    country: row.country,
    year: `${row.year}-01-01`,
    population: row.pop,
    lifeExpectancy: row.life_expect,
    fertility: row.fertility,
  }))

interface Quake {
  id: string
  properties: { mag: number | null; time: number; place: string; type: string; tsunami: number; url: string }
  geometry: { coordinates: [number, number, number] }
}

export const earthquakes = (): Row[] =>
  json<{ features: Quake[] }>('earthquakes.json').features.map(({ id, properties, geometry }) => ({
    id,
    time: new Date(properties.time).toISOString(),
    magnitude: properties.mag,
    depth: geometry.coordinates[2],
    place: properties.place,
    kind: properties.type,
    hasTsunami: properties.tsunami === 1,
    url: properties.url,
    location: point(geometry.coordinates[0], geometry.coordinates[1]),
  }))

export const disasters = (): Row[] =>
  csv('disasters.csv').map((row) => ({
    id: `${row.Entity} ${row.Year}`,
    kind: row.Entity,
    year: `${String(row.Year).padStart(4, '0')}-01-01`,
    deaths: number(row.Deaths),
  }))
