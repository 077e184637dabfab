import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort, openWorker } from '../local.ts'
import { median } from '../bench/measure.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { createAccountKey } from '#functions/domain/identity/keys.ts'
import { bombs } from '#functions/v1/testing/bombs.testing.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

/**
 * Two organizations on one Worker and one database: when one exhausts its limits, the other must not notice.
 */
let world: TestWorld
const keys = { oakton: '', elmsford: '' }
type Place = keyof typeof keys
const figures: Record<string, number> = {}
let running: Awaited<ReturnType<typeof openWorker>> | null = null
let origin = ''

beforeAll(async () => {
  world = await openWorld(city)
  const system = world.as('system')
  for (const source of ['open', 'far-open'])
    await ingest(
      system,
      source,
      Array.from({ length: 2000 }, (_none, minutes) => ({ type: `Type ${minutes % 40}`, minutes })),
    )
  keys.oakton = (await createAccountKey(system.db, 'organization_admin', 'walk', 'account')).key
  keys.elmsford = (await createAccountKey(system.db, 'stranger', 'walk', 'account')).key
}, 180_000)
afterAll(async () => {
  writeMeasurements('neighbours', figures)
  await running?.close()
  await world?.close()
})

/** Starts a Worker with these limits per minute; '' has none. */
async function open(limits: string) {
  await running?.close()
  const port = await findFreePort()
  origin = `http://127.0.0.1:${port}`
  const vars = { APP_HOST: `127.0.0.1:${port}`, ENVIRONMENT: 'test', ...(limits && { RATE_LIMITS: limits }) }
  running = await openWorker({ env: world.database.env, port, folder: null, vars })
}

interface PlaceRequest {
  method?: string
  path: string
  headers?: Record<string, string>
  raw?: string
}

async function ask(by: Place | null, { method = 'get', path, headers = {}, raw }: PlaceRequest) {
  const startMs = performance.now()
  const answer = await fetch(`${origin}/v1${path}`, {
    method: method.toUpperCase(),
    headers: { ...headers, ...(by && { authorization: `Bearer ${keys[by]}` }) },
    ...(raw !== undefined && { body: raw }),
  })
  await answer.arrayBuffer()
  return { status: answer.status, headers: answer.headers, ms: performance.now() - startMs }
}

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** Repeats requests, pausing so many ms after each answer, until it is over. */
async function repeatUntil<T>(
  isOver: () => boolean,
  pause: number,
  run: (i: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  for (let i = 0; !isOver(); i += 1) {
    results.push(await run(i))
    await delay(pause)
  }
  return results
}

const buildPlainRequest = (place: Place): PlaceRequest => ({
  path: `/places/${place}/sources/${place === 'oakton' ? 'open' : 'far-open'}/data?limit=5`,
})
/** An expensive question, a different one for each number: earlier anonymous questions are cached. */
const heavy = (place: Place, i: number): PlaceRequest => ({
  path: `/places/${place}/sources/${place === 'oakton' ? 'open' : 'far-open'}/analytics?aggregations[0][alias]=n${i}&aggregations[0][value][function]=count`,
})

const rates = isFullRun ? { key: 600, heavy: 30 } : { key: 40, heavy: 6 }

test('ten times the budget gives 429 with Retry-After, and the other organization is answered', async () => {
  await open(`anonymous=${rates.key},key=${rates.key},heavy=${rates.heavy}`)
  const startMs = Date.now()
  let isOver = false
  const other = repeatUntil(
    () => isOver,
    250,
    () => ask('elmsford', buildPlainRequest('elmsford')),
  )
  const answers: Awaited<ReturnType<typeof ask>>[] = []
  for (let i = 0; i < rates.key * 10; i += 10)
    answers.push(
      ...(await Promise.all(Array.from({ length: 10 }, () => ask('oakton', buildPlainRequest('oakton'))))),
    )
  isOver = true
  const others = await other
  const minutes = Math.ceil((Date.now() - startMs) / 60_000) + 1
  const good = answers.filter(({ status }) => status === 200)
  const rejections = answers.filter(({ status }) => status === 429)
  expect(good.length + rejections.length).toBe(answers.length)
  expect(good.length).toBeGreaterThanOrEqual(rates.key)
  expect(good.length).toBeLessThanOrEqual(rates.key * minutes)
  for (const { headers } of rejections) {
    expect(headers.get('retry-after')).toBe('60')
    expect(headers.get('ratelimit')).toBe('"key";r=0;t=60')
  }
  // The other stays within its own budget, however long that takes.
  const within = others.slice(0, rates.key)
  expect(within.length).toBeGreaterThan(3)
  const failures = within.filter(({ status }) => status !== 200)
  expect(failures).toEqual([])
  Object.assign(figures, {
    'requests of one who asks ten times too often': answers.length,
    'of them refused with 429 and Retry-After': rejections.length,
    'requests of the other organization meanwhile': within.length,
    'of them not answered': failures.length,
  })
}, 600_000)

test('ten times the budget of expensive questions, by key and anonymously', async () => {
  for (const by of ['oakton', null] as const) {
    const answers = []
    for (let i = 0; i < rates.heavy * 10; i += 1) answers.push(await ask(by, heavy('oakton', i)))
    const statuses = answers.map(({ status }) => status)
    const rejections = answers.filter(({ status }) => status === 429)
    expect([by, statuses.filter((status) => status !== 200 && status !== 429)]).toEqual([by, []])
    expect(rejections.length).toBeGreaterThan(rates.heavy * 6)
    for (const { headers } of rejections) expect(headers.get('retry-after')).toBe('60')
    expect((await ask('elmsford', heavy('elmsford', 0))).status).toBe(200)
  }
}, 600_000)

/** The 99th percentile of the times. */
const p99 = (times: number[]) => [...times].sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? NaN

test('while one organization sends expensive questions, the other is answered as fast as while it sends plain ones', async () => {
  await open('')
  const seconds = isFullRun ? 20 : 3
  const rounds = isFullRun ? 5 : 1
  // A body with a wrong content length is not a valid HTTP request.
  const costly = bombs.map(([, make]) => make()).filter(({ headers }) => !headers?.['content-length'])
  const kinds = {
    plain: () => buildPlainRequest('oakton'),
    bombs: (i: number) => costly[i % costly.length] ?? buildPlainRequest('oakton'),
  }
  /**
   * Measures the answer times of the other organization while one sends a kind of question, and counts those.
   */
  const round = async (kind: keyof typeof kinds) => {
    const until = performance.now() + seconds * 1000
    const isOver = () => performance.now() > until
    const [others, one, two] = await Promise.all([
      repeatUntil(isOver, 20, () => ask('elmsford', buildPlainRequest('elmsford'))),
      repeatUntil(isOver, 20, (i) => ask('oakton', kinds[kind](i))),
      repeatUntil(isOver, 20, (i) => ask('oakton', kinds[kind](i * 7))),
    ])
    const allAnswers = [...one, ...two]
    if (kind === 'bombs') {
      expect(allAnswers.filter(({ status }) => status !== 400 && status !== 413)).toEqual([])
      figures['questions made to cost'] = (figures['questions made to cost'] ?? 0) + allAnswers.length
    }
    expect(others.filter(({ status }) => status !== 200)).toEqual([])
    return others.map(({ ms }) => ms)
  }
  await round('plain')
  const times: Record<keyof typeof kinds, number[]> = { plain: [], bombs: [] }
  // In turns, so that a busy machine slows both.
  for (let i = 0; i < rounds; i += 1)
    for (const kind of ['plain', 'bombs'] as const) times[kind].push(p99(await round(kind)))
  const [beside, under] = [median(times.plain), median(times.bombs)]
  Object.assign(figures, {
    'p99 beside plain questions, ms': Math.round(beside),
    'p99 beside questions made to cost, ms': Math.round(under),
    'ratio of both, per cent': Math.round((100 * under) / beside),
  })
}, 600_000)
