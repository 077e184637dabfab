import { readFileSync } from 'node:fs'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Kysely, PostgresDialect } from 'kysely'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { Pool, type Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { getColumnName, makeTable, type TableOwner } from '#db/data-table.ts'
import type { Tables } from '#db/schema.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'

/** The corpus: 3,000,000 flights and the coordinates of all zip codes of the United States, as published. */
const data = (name: string) =>
  fileURLToPath(new URL(`../../node_modules/vega-datasets/data/${name}`, import.meta.url))

export const placeId = 'bench'
export const dataTypeId = 'bench-flight'
/** The ids of the insights that are saved on the corpus, by what they ask. */
export const insights = { median: 'bench-median', days: 'bench-days' }
export const sourceId = 'bench-flights'

/**
 * The fields of a flight as a record: its origin, its outcome, its time, and a point near a zip code, so that
 * points cluster.
 */
export const schema: FieldSchema = {
  origin: { name: 'Origin', type: 'text' },
  state: { name: 'State', type: 'text' },
  kind: { name: 'Kind', type: 'text' },
  delay: { name: 'Delay', type: 'number', measurement: { type: 'duration', value: 'minute' } },
  distance: { name: 'Distance', type: 'number', measurement: { type: 'distance', value: 'mile' } },
  late: { name: 'Late', type: 'boolean' },
  at: { name: 'Departed', type: 'date' },
  spot: { name: 'Spot', type: 'point' },
}

/** Loads the two published files into tables of their own, once per server. */
export async function stage(client: Client, log: (line: string) => void): Promise<void> {
  await client.query('create schema if not exists corpus')
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('corpus.zip') is not null as there`,
  )
  if (rows[0]?.there) return
  log('  reading 3,000,000 flights')
  await client.query(
    'create unlogged table corpus.flight (n int primary key, at timestamptz, delay int, distance int, origin text)',
  )
  const stream = client.query(copyFrom('copy corpus.flight from stdin'))
  const file = await asyncBufferFromFile(data('flights-3m.parquet'))
  const { num_rows: count } = await parquetMetadataAsync(file)
  const step = 200_000
  for (let from = 0; from < Number(count); from += step) {
    const rows = await parquetReadObjects({
      file,
      compressors,
      rowStart: from,
      rowEnd: Math.min(Number(count), from + step),
    })
    const text = rows
      .map(({ date, delay, distance, origin }, i) =>
        [from + i, (date as Date).toISOString(), delay, distance, origin]
          .map((v) => (v === null ? '\\N' : String(v)))
          .join('\t'),
      )
      .join('\n')
    if (!stream.write(`${text}\n`)) await once(stream, 'drain')
  }
  stream.end()
  await once(stream, 'finish')
  const zips = readFileSync(data('zipcodes.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
  await client.query(
    'create unlogged table corpus.zip (n int primary key, latitude double precision, longitude double precision, city text, state text)',
  )
  await client.query(
    'insert into corpus.zip select * from unnest($1::int[], $2::float8[], $3::float8[], $4::text[], $5::text[])',
    [zips.map((_, i) => i), ...[1, 2, 3, 4].map((at) => zips.map((zip) => zip[at]))],
  )
  await client.query('analyze corpus.flight, corpus.zip')
}

/**
 * Fills a migrated database with a place, a public source of `rows` flights and `hubs` further places. The
 * rows are deterministic: pseudo-random values come from hashes of the row's number. Counts and map cells are
 * made by the product's own `recount`.
 */
export async function fill(
  owner: URL,
  client: Client,
  rows: number,
  hubs: number,
  log: (line: string) => void,
) {
  await client.query(
    `insert into place (id, name, display_name, time_zone, theme, map_configuration, is_hub)
     values ($1, 'Bench', 'Bench', 'America/Chicago', '{}', '{}', false)`,
    [placeId],
  )
  await client.query(
    `insert into place (id, name, display_name, time_zone, theme, map_configuration, is_hub)
     select 'hub-' || n, city || ', ' || state, city || ' open data ' || n, 'UTC', '{}', '{}', true
     from corpus.zip where n < $1`,
    [hubs],
  )
  await client.query(
    `insert into data_type (id, name, schema, temporal) values ($1, 'Flight', $2, '{"primary":"at"}')`,
    [dataTypeId, JSON.stringify(schema)],
  )
  await client.query(
    `insert into source (id, place_id, data_type_id, name, visibility, data_version) values ($1, $2, $3, 'Flights', 'public', 1)`,
    [sourceId, placeId, dataTypeId],
  )
  const pool = new Pool({ connectionString: owner.href, max: 1 })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const table = await makeTable(db, {
    id: dataTypeId,
    schema,
    temporal: { primary: 'at' },
    tableName: null,
  } as TableOwner)
  await db.destroy()
  log(`  writing ${rows.toLocaleString('en')} records`)
  await withoutIndexes(client, table, () => insert(client, table, rows))
  await client.query(`vacuum analyze data.${table}`)
}

/** Creates the indexes after the rows are loaded, which takes a tenth of the time. */
async function withoutIndexes(client: Client, table: string, load: () => Promise<void>) {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexname as name, i.indexdef as definition from pg_indexes i
     where i.schemaname = 'data' and i.tablename = $1
       and not exists (select from pg_constraint c where c.conindid = format('data.%I', i.indexname)::regclass)`,
    [table],
  )
  for (const { name } of rows) await client.query(`drop index data."${name}"`)
  await load()
  for (const { definition } of rows) await client.query(definition)
}

async function insert(client: Client, table: string, rows: number) {
  await client.query(mortonSql)
  const c = Object.fromEntries(Object.keys(schema).map((key) => [key, `"${getColumnName(key)}"`]))
  const each = 500_000
  for (let from = 0; from < rows; from += each) {
    await client.query(
      `insert into data.${table} (place_id, source_id, external_id, created_at, updated_at, geometry, key,
         ${c.origin}, ${c.state}, ${c.kind}, ${c.delay}, ${c.distance}, ${c.late}, ${c.at}, ${c.spot})
       select $1, $2, g::text, '2026-01-01Z', '2026-01-01Z', point, corpus.morton(x, y),
         origin, state, kind, delay, distance, delay >= 15, at, point
       from (
         select g, f.origin, z.state, f.delay, f.distance, f.at,
           (array['passenger','passenger','passenger','passenger','cargo','mail','charter'])[1 + abs(hashint8extended(g, 7)) % 7] as kind,
           z.longitude + corpus.noise(g, 1) as x, z.latitude + corpus.noise(g, 2) as y,
           st_setsrid(st_makepoint(z.longitude + corpus.noise(g, 1), z.latitude + corpus.noise(g, 2)), 4326) as point
         from generate_series($3::bigint, $4::bigint) g
         join corpus.flight f on f.n = (g * 7919) % 3000000
         join corpus.zip z on z.n = abs(hashint8extended(g, 3)) % (select count(*) from corpus.zip)
         order by g
       ) made`,
      [placeId, sourceId, from, Math.min(rows, from + each) - 1],
    )
  }
}

/**
 * The Morton key of a record's point, as `records/morton.ts` computes it, and noise of up to 0.2 degrees,
 * mostly small.
 */
const mortonSql = `
  create or replace function corpus.noise(g bigint, salt bigint) returns double precision language sql immutable as
  $$ select (abs(hashint8extended(g, salt) % 1000) + abs(hashint8extended(g, salt + 10) % 1000) - 1000) / 5000.0 $$;
  create or replace function corpus.spread(v bigint) returns bigint language plpgsql immutable as $$
  declare x bigint := v;
  begin
    x := (x | (x << 16)) & 281470681808895;
    x := (x | (x << 8)) & 71777214294589695;
    x := (x | (x << 4)) & 1085102592571150095;
    x := (x | (x << 2)) & 3689348814741910323;
    return (x | (x << 1)) & 6148914691236517205;
  end $$;
  create or replace function corpus.morton(lon double precision, lat double precision) returns bigint language sql immutable as $$
    select corpus.spread(floor((lon + 180) / 360 * 67108864)::bigint)
      + 2 * corpus.spread(floor((1 - ln(tan(radians(lat)) + 1 / cos(radians(lat))) / pi()) / 2 * 67108864)::bigint)
  $$`
