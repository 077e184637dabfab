import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequester, linksIn, visitAll, type VisitReport } from './crawler.ts'
import { openGate, type Gate } from './gate.ts'
import { openHub, type Size } from './world.ts'
import { findFreePort, openWorker } from '../local.ts'
import { prepareSources, publishHubs } from '../publish-hub.ts'

import { findRoute, type AnsweredFrom } from '#functions/edge/routes.ts'

type Figures = Record<string, number>

/** A hub, a Worker and a gate before its database. */
interface Stage {
  gate: Gate
  ids: string[]
  host: string
  appHost: string
  ask: ReturnType<typeof createRequester>
  close(): Promise<void>
}

/** Starts a hub of a size, with everything prerendered and published. */
async function stage(size: Size, log: (line: string) => void): Promise<Stage> {
  const { world, ids } = await openHub(size)
  const { env } = world.database
  const gate = await openGate(env.DB_PROXY ?? '')
  const port = await findFreePort()
  const vars = { APP_HOST: `localhost:${port}`, PUBLIC_HOST: `localhost:${port}`, ENVIRONMENT: 'test' }
  const worker = await openWorker({ env: { ...env, DB_PROXY: gate.address }, port, folder: null, vars, log })
  await publishHubs(worker.worker, env, ['oakton'])
  log('published; making what is made ahead')
  for (let i = 0; i < ids.length; i += 10)
    await prepareSources(worker.worker, ['open', ...ids].slice(i, i + 10))
  await prepareSources(worker.worker, ids.slice(-10))
  // Pages show the sizes of files, so they are published again after the files exist.
  await publishHubs(worker.worker, env)
  await delay(2100)
  const host = `oakton.localhost`
  return {
    gate,
    ids,
    host: `${host}:${port}`,
    appHost: `localhost:${port}`,
    ask: createRequester(port, host),
    async close() {
      await worker.close()
      await gate.close()
      await world.close()
    },
  }
}

/**
 * Crawls everything that a hub links to, shuts off its database, and crawls it again together with addresses
 * that were never requested before: tiles, first pages of the API. Then reopens the database, to compare
 * those as well. Returns the counts.
 */
async function crawl(on: Stage, log: (line: string) => void): Promise<Figures> {
  const { gate, ask, host, appHost, ids } = on
  const follow = (path: string, answer: Parameters<typeof linksIn>[0]) => linksIn(answer, path, host, appHost)
  const askedIds = ids.slice(0, Math.ceil(ids.length / 2))
  const start = [
    '/',
    '/sitemap.xml',
    '/robots.txt',
    ...searches(40),
    ...askedIds.flatMap((id) => listSourcePaths(id, 0)),
  ]
  const up = await visitAll(ask, start, follow)
  log(`${up.size} addresses with the database`)
  await delay(2100)

  gate.consumeRequests()
  const bots = await visitAll(ask, searches(600))
  const botStatements = gate.consumeRequests().length
  const boxes = await visitAll(ask, searchBoxes(200))
  const boxStatements = gate.consumeRequests().length

  gate.shut()
  const isStatic = ([path]: [string, VisitReport]) => answeredAs(path) === 'static'
  const still = await visitAll(
    ask,
    [...up].filter(isStatic).map(([path]) => path),
  )
  // Downloads and searches are counted in memory and written occasionally after an answer: no page waits for
  // that.
  const attempts = gate.consumeRequests()
  const uncounted = attempts.filter((text) => !text.includes('hub_usage_day'))
  const others = [...up].filter((each) => !isStatic(each)).map(([path]) => path)
  const fresh = ids.flatMap((id, i) => listSourcePaths(id, i + 1)).filter((path) => !up.has(path))
  const down = new Map([...still, ...(await visitAll(ask, [...others, ...fresh]))])
  log(`${down.size} addresses without`)
  gate.open()
  const again = await visitAll(ask, fresh)

  const before = new Map([...up, ...again])
  const good = [...before].filter(([, { status }]) => status < 400)
  const storedPages = good.filter(([path]) => answeredAs(path) !== 'live')
  const unchanged = storedPages.filter(([path, { hash, status }]) => {
    const now = down.get(path)
    return now?.hash === hash && now.status === status
  })
  const brokenPages = [...down].filter(
    ([path, { status }]) => isBroken(status) && answeredAs(path) !== 'live',
  )
  const refusals = [...down].filter(
    ([path, { status, retryAfter }]) =>
      isBroken(status) && answeredAs(path) === 'live' && !(status === 503 && retryAfter !== null),
  )
  const printPaths = (name: string, paths: string[]) => {
    if (paths.length > 0) log(`${name}: ${paths.length}\n  ${paths.slice(0, 20).join('\n  ')}`)
  }
  printPaths(
    'broken with the database',
    [...before].filter(([, { status }]) => isBroken(status)).map(([path, { status }]) => `${status} ${path}`),
  )
  printPaths(
    'broken without',
    brokenPages.map(([path, { status }]) => `${status} ${path}`),
  )
  printPaths(
    'statements tried for stored pages',
    uncounted.map((text) => text.slice(0, 2000) || 'a connection was opened'),
  )
  printPaths(
    'live and not refused well',
    refusals.map(([path, { status }]) => `${status} ${path}`),
  )
  printPaths(
    'not the same',
    storedPages.filter((each) => !unchanged.includes(each)).map(([path]) => path),
  )
  printPaths(
    'live',
    good.filter(([path]) => answeredAs(path) === 'live').map(([path]) => path),
  )
  return {
    addresses: before.size,
    'addresses that answer': good.length,
    'broken with the database': [...before.values()].filter(({ status }) => isBroken(status)).length,
    'broken without the database': brokenPages.length,
    'live ones not refused well': refusals.length,
    'same bytes, per mille': Math.floor((1000 * unchanged.length) / Math.max(1, storedPages.length)),
    'statements tried for stored pages': uncounted.length,
    'times that counts of use were to be written meanwhile': attempts.length - uncounted.length,
    'never asked before': fresh.length,
    'searches of bots': bots.size + boxes.size,
    'statements of bots': botStatements + boxStatements,
    'searches that failed': [...bots.values(), ...boxes.values()].filter(({ status }) => status !== 200)
      .length,
  }
}

/** Runs the whole proof; figures are written where `npm run test:full -- crawl` reads them. */
export async function prove(size: Size, log: (line: string) => void): Promise<Figures> {
  const on = await stage(size, log)
  try {
    const figures = await crawl(on, log)
    mkdirSync('.cache/proofs', { recursive: true })
    writeFileSync('.cache/proofs/crawl.json', JSON.stringify(figures))
    return figures
  } finally {
    await on.close()
  }
}

const isBroken = (status: number) => status === 0 || status >= 500
const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Returns from where the route of a path is answered; `live` for a path without a route. */
function answeredAs(path: string): AnsweredFrom {
  const [pathname = '/'] = path.split('?')
  return findRoute(pathname, 'hub')?.answered ?? 'live'
}

/** Tiles of a source at several zooms, and default answers of its API. `n` varies the column of the tiles. */
function listSourcePaths(id: string, n: number): string[] {
  const tiles = [0, 3, 6, 8, 9, 10, 12, 14].map((z) => {
    const side = 2 ** z
    const x = Math.floor(((-74 + (n % 9) / 10 + 180) / 360) * side)
    const y = Math.floor(side * 0.3755)
    return `/t/points/oakton/source/${id}@1/${z}/${x}/${y}.mvt`
  })
  const api = [`/v1/places/oakton/sources/${id}/data`, `/v1/places/oakton/sources/${id}/fields`]
  return [...tiles, ...api]
}

const texts = [
  'rain',
  'snow at',
  'wnid',
  'station 12',
  'weather',
  'hail',
  'zzzz',
  'story',
  'call',
  'r',
  'stations',
]

/** Searches as a bot makes them: every choice combined with every other. */
function searches(most: number): string[] {
  const problems: string[] = []
  for (const page of ['', '&page=2', '&page=9'])
    for (const kind of ['', '&kind=indicator', '&kind=story', '&kind=domain', '&kind=map'])
      for (const domain of ['', '&domain=weather-1', '&domain=nothing'])
        for (const text of texts)
          for (const base of ['/search', '/es/search'])
            for (const more of ['', '&topic=Water', '&format=CSV&period=2010-2019', '&place=Texas&sort=name'])
              problems.push(`${base}?search=${encodeURIComponent(text)}${kind}${domain}${more}${page}`)
  return problems.slice(0, most)
}

/** The API requests of the search box, for many texts. */
function searchBoxes(most: number): string[] {
  const buildSearchRequests = (text: string) => {
    const buildSearchPath = (noun: string) => `/v1/places/oakton/${noun}?search=${encodeURIComponent(text)}`
    const includes = 'includes[0][resource]'
    return [
      `${buildSearchPath('dataTypes')}&maxVisibility=public&${includes}=sources&includes[0][attributes][0]=id&includes[0][attributes][1]=name&includes[0][filters][0][placeId]=oakton&includes[0][filters][0][visibility]=public`,
      `${buildSearchPath('sources')}&maxVisibility=public&${includes}=dataType&includes[0][attributes][0]=id&includes[0][attributes][1]=name&includes[0][attributes][2]=category`,
      `${buildSearchPath('pages')}&visibility=public&filters[0][publish]=published&filters[1][type][$in][0]=blank&filters[1][type][$in][1]=storytelling`,
    ]
  }
  return Array.from({ length: most }, (_, i) => `${texts[i % texts.length]} ${i}`.slice(0, 4 + (i % 9)))
    .flatMap(buildSearchRequests)
    .slice(0, most)
}
