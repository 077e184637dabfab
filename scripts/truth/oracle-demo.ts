import type { FileFields } from './oracle.ts'

/*
 * The public sources of the demo's hubs, read independently from the same files: by SQL, without the code
 * that makes the demo's records.
 */

export interface DemoSource {
  placeId: string
  zone: string
  /** SQL over the files; `{folder}` stands for their folder. */
  sql: string
  fields: FileFields
  /** The date field by which the period of its records is stated, with its precision. */
  primary?: { key: string; span: string }
}

const number = (name: string) => ({ name, kind: 'number' as const })
const text = (name: string) => ({ name, kind: 'text' as const })
const calendar = (name: string) => ({ name, kind: 'calendar' as const })
const instant = (name: string) => ({ name, kind: 'instant' as const })
const point = (name: string) => ({ name, kind: 'point' as const })

const csv = (file: string) => `read_csv('{folder}/${file}', all_varchar = true, header = true)`
/** A cell that is empty or "NA" is null. */
const trimmed = (column: string) => `nullif(nullif(trim(${column}), ''), 'NA')`
const figure = (column: string) => `try_cast(nullif(trim(${column}), '') as double)`
const buildLocationSql = (longitude: string, latitude: string) =>
  `${figure(longitude)}::varchar || ' ' || ${figure(latitude)}::varchar`

const airport = {
  fields: {
    id: text('Code'),
    name: text('Name'),
    city: text('City'),
    state: text('State'),
    country: text('Country'),
    location: point('Location'),
  },
  sql: (condition: string) =>
    `select iata as id, name, ${trimmed('city')} as city, ${trimmed('state')} as state, ${trimmed('country')} as country,
      ${buildLocationSql('longitude', 'latitude')} as location from ${csv('airports.csv')} where ${condition}`,
}

const seattle = { placeId: 'seattle-wa', zone: 'America/Los_Angeles' }
const usa = { placeId: 'usa', zone: 'America/New_York' }

export const demoSources: Record<string, DemoSource> = {
  'seattle-weather': {
    ...seattle,
    sql: `select date as id, cast(date as date) as day, ${figure('precipitation')} as precipitation,
      ${figure('temp_max')} as maximum, ${figure('temp_min')} as minimum, ${figure('wind')} as wind,
      ${trimmed('weather')} as weather from ${csv('seattle-weather.csv')}`,
    fields: {
      id: text('Id'),
      day: calendar('Day'),
      precipitation: number('Precipitation'),
      maximum: number('Highest temperature'),
      minimum: number('Lowest temperature'),
      wind: number('Wind speed in m/s'),
      weather: text('Weather'),
    },
    primary: { key: 'day', span: 'day' },
  },
  'seattle-climate': {
    ...seattle,
    // Standard time all year: the file ignores summer time.
    sql: `select date as id, timezone('Etc/GMT+8', cast(date as timestamp)) as hour,
      ${figure('temperature')} as temperature, ${figure('pressure')} as pressure, ${figure('wind')} as wind
      from ${csv('seattle-weather-hourly-normals.csv')}`,
    fields: {
      id: text('Id'),
      hour: instant('Hour'),
      temperature: number('Temperature'),
      pressure: number('Air pressure in hPa'),
      wind: number('Wind speed in m/s'),
    },
    primary: { key: 'hour', span: 'minute' },
  },
  'washington-airports': { ...seattle, sql: airport.sql(`state = 'WA'`), fields: airport.fields },
  'us-airports': { ...usa, sql: airport.sql(`country = 'USA'`), fields: airport.fields },
  'us-flights': {
    ...usa,
    // Distances are miles in the file, and whole kilometres in the source.
    sql: `select flight.n::varchar as id, timezone('America/New_York', strptime(flight.date, '%Y/%m/%d %H:%M')) as departure, origin, destination,
      delay::double as delay, round(distance * 1.609344)::double as distance, airport.location
      from (select row_number() over () as n, * from read_json('{folder}/flights-20k.json', columns = {date: 'varchar',
        delay: 'double', distance: 'double', origin: 'varchar', destination: 'varchar'})) as flight
      left join (select iata, ${buildLocationSql('longitude', 'latitude')} as location from ${csv('airports.csv')}) as airport
        on airport.iata = flight.origin`,
    fields: {
      id: text('Id'),
      departure: instant('Departure'),
      origin: text('Origin'),
      destination: text('Destination'),
      delay: number('Delay'),
      distance: number('Distance'),
      location: point('Origin airport'),
    },
    primary: { key: 'departure', span: 'minute' },
  },
  'us-postal-areas': {
    ...usa,
    sql: `select zip_code as id, ${trimmed('city')} as city, ${trimmed('county')} as county, ${trimmed('state')} as state,
      ${buildLocationSql('longitude', 'latitude')} as location from ${csv('zipcodes.csv')}`,
    fields: {
      id: text('ZIP code'),
      city: text('City'),
      county: text('County'),
      state: text('State'),
      location: point('Location'),
    },
  },
  'us-wildlife-strikes': {
    ...usa,
    sql: `select (row_number() over ())::varchar as id, cast("Flight Date" as date) as day,
      ${trimmed('"Airport Name"')} as airport, ${trimmed('"Origin State"')} as state,
      ${trimmed('"Aircraft Airline Operator"')} as operator, ${trimmed('"Aircraft Make Model"')} as aircraft,
      ${trimmed('"Phase of flight"')} as phase, ${trimmed('"Wildlife Species"')} as species,
      ${trimmed('"Wildlife Size"')} as size, ${trimmed('"Time of day"')} as "timeOfDay",
      ${trimmed('"Effect Amount of damage"')} as damage, ${figure('"Cost Total $"')} as cost
      from ${csv('birdstrikes.csv')}`,
    fields: {
      id: text('Id'),
      day: calendar('Day'),
      airport: text('Airport'),
      state: text('State'),
      operator: text('Operator'),
      aircraft: text('Aircraft'),
      phase: text('Phase of flight'),
      species: text('Species'),
      size: text('Size of the animal'),
      timeOfDay: text('Time of day'),
      damage: text('Damage'),
      cost: number('Cost'),
    },
    primary: { key: 'day', span: 'day' },
  },
}
