import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, sourcesHash } from './build.ts'
import { storeLiveFiles } from './store-live-files.ts'
import { CommandError } from './local.ts'
import { readBuilds, startRerender, waitUntilDeployed, watchBuilds, type Product } from './watch-builds.ts'

/**
 * Builds, deploys by wrangler, and has the hubs made again by the new build. With `COMMONPLACE_KEY` (the API
 * key of a super admin) it first makes sure that the files of the replaced build are stored, and reports
 * progress until all hubs are made; without it, cron notices the new build by itself. `--dry-run` checks
 * everything without a network, `--watch` only reports progress.
 */
async function deploy(words: string[]): Promise<number> {
  const product = theProduct()
  if (words.includes('--watch')) return watch(product)
  await build(console.log)
  const isDry = words.includes('--dry-run')
  if (!isDry) await ensureFilesStored(product)
  const status = wrangler(['deploy', ...words])
  if (status !== 0 || isDry) return status
  if (!product.key) {
    console.log(
      'The hubs are made again in the background. To watch: COMMONPLACE_KEY=… npm run deploy -- --watch',
    )
    return 0
  }
  if (!(await waitUntilDeployed(product, sourcesHash())))
    throw new CommandError(
      `${product.url} still answers with another build. Watch later: npm run deploy -- --watch`,
    )
  await startRerender(product)
  return watch(product)
}

async function watch(product: Product): Promise<number> {
  if (!product.key)
    throw new CommandError(
      'To watch, set COMMONPLACE_KEY to a key of a super admin with the scope “internals”.',
    )
  return (await watchBuilds(product, console.log)) === 0 ? 0 : 1
}

/** Reads the address of the deployed product from wrangler.toml. */
function theProduct(): Product & { publicHost: string; scheme: string } {
  const config = readFileSync('wrangler.toml', 'utf8')
  const value = (name: string) => new RegExp(`^${name} = "([^"]+)"`, 'm').exec(config)?.[1] ?? ''
  const scheme = value('SCHEME')
  const url = (process.env.COMMONPLACE_URL ?? `${scheme}://${value('APP_HOST')}`).replace(/\/+$/, '')
  return { url, scheme, key: process.env.COMMONPLACE_KEY ?? '', publicHost: value('PUBLIC_HOST') }
}

/**
 * Makes sure the files of the replaced build are in the bucket before they disappear. An unreachable product
 * is deployed to as well.
 */
async function ensureFilesStored(product: ReturnType<typeof theProduct>): Promise<void> {
  if (!product.key) {
    console.log(
      'Without COMMONPLACE_KEY nobody looks whether the files of the build that is replaced are kept.',
    )
    return
  }
  try {
    const until = Date.now() + 5 * 60_000
    for (;;) {
      const builds = await readBuilds(product)
      if (!builds) return await storeFilesManually(product)
      if (builds.kept === 'all' || builds.build === null) return
      if (Date.now() > until)
        return console.log('The workspace’s files of the build that is replaced are not all kept.')
      console.log(`Waiting until the files of build ${builds.build.slice(0, 7)} are kept …`)
      await new Promise((resolve) => setTimeout(resolve, 10_000))
    }
  } catch (error) {
    console.log(`The product could not be asked, and is deployed to as it is: ${String(error)}`)
  }
}

/** For a deployed version that does not yet store its own files: some pages of hubs lead to all of them. */
async function storeFilesManually({
  url,
  key,
  scheme,
  publicHost,
}: ReturnType<typeof theProduct>): Promise<void> {
  const placesResponse = await fetch(`${url}/v1/places?filters[0][isHub]=true&limit=3`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const { results = [] } = (await placesResponse.json()) as { results?: { id: string }[] }
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-files-'))
  const file = join(folder, 'file')
  try {
    const names = await storeLiveFiles({
      pages: results.map(({ id }) => `${scheme}://${id}.${publicHost}/`),
      fetch,
      now: new Date(),
      async storeFile(path, body, contentType) {
        writeFileSync(file, body)
        const object = `commonplace-hubs/${path}`
        const args = [
          'r2',
          'object',
          'put',
          object,
          '--file',
          file,
          '--content-type',
          contentType,
          '--remote',
        ]
        if (wrangler(args) !== 0) throw new Error(`${path} could not be kept.`)
      },
    })
    console.log(`${names.length} files of the build that is replaced are kept.`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function wrangler(words: string[]): number {
  const { status } = spawnSync('npx', ['wrangler', ...words], {
    stdio: 'inherit',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  })
  return status ?? 1
}

try {
  process.exit(await deploy(process.argv.slice(2)))
} catch (error) {
  console.error(error instanceof CommandError ? error.message : error)
  process.exit(1)
}
