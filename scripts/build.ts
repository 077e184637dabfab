import { fileURLToPath } from 'node:url'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { build as viteBuild } from 'vite'
import type { BuildList } from '#functions/jobs/publish/builds/store-files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const stampFile = join(root, 'build/.sources')
const sources = [
  ...['app', 'functions', 'db', 'public', 'vite.config.ts', 'package.json', 'package-lock.json'],
  ...['scripts/build.ts', 'scripts/hub-css.ts', 'scripts/worker-modules.ts'],
]

/**
 * Builds the Worker, the workspace's assets and the hub's, unless the sources are unchanged since the last
 * build.
 */
export async function build(
  log: (line: string) => void,
  options: { force?: boolean } = {},
): Promise<boolean> {
  const hash = sourcesHash()
  const isFresh = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hash
  if (isFresh && !options.force) return false
  log('Building the Worker and the pages’ styles and scripts …')
  rmSync(join(root, 'build'), { recursive: true, force: true })
  await buildHubAssets()
  await run(['node_modules/@remix-run/dev/dist/cli.js', 'vite:build', '--logLevel', 'warn'])
  const hubFiles = join(root, 'build/client/hub')
  cpSync(join(root, '.cache/hub-assets/hub'), hubFiles, { recursive: true })
  // A script that is imported for what it does by itself is taken for unused: it has to export that as a function.
  for (const name of readdirSync(hubFiles))
    if (statSync(join(hubFiles, name)).size === 0) throw new Error(`hub/${name} is empty.`)
  mkdirSync(join(root, 'build'), { recursive: true })
  writeFileSync(join(root, 'build/client/build.json'), JSON.stringify(filesOfBuild(hash)))
  writeFileSync(stampFile, hash)
  return true
}

/** Hashes the sources of the build: the name of this build. */
export function sourcesHash(): string {
  const hash = createHash('sha256')
  for (const source of sources)
    for (const file of listFiles(join(root, source))) hash.update(file).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

/**
 * Copies the build into a folder of its own under other names: every hashed file name and the version differ,
 * the contents are otherwise the same. For testing deployments without building twice. Returns the folder and
 * its list of files.
 */
export function buildUnderOtherNames(folder: string): { folder: string; list: BuildList } {
  const { version, files } = JSON.parse(
    readFileSync(join(root, 'build/client/build.json'), 'utf8'),
  ) as BuildList
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(root, 'build'), folder, { recursive: true })
  const reverseHash = (name: string) =>
    name.replace(/-([\w-]{8})(\.\w+)$/, (_, hash: string, end: string) => `-${reversed(hash)}${end}`)
  const names = new Map(
    files.map((file) => [file.split('/')[1] ?? '', reverseHash(file.split('/')[1] ?? '')]),
  )
  names.set(version, reversed(version))
  const anyName = [...names.keys()].map((name) => name.replaceAll('.', '\\.')).join('|')
  // The Worker's own modules may have the same names as files of the client.
  const inWorker = new RegExp(`(?<=(?:hub|assets)/)(?:${anyName})|${version}`, 'g')
  const inFiles = new RegExp(anyName, 'g')
  for (const path of listFiles(folder)) {
    if (!/\.(?:js|css|json)$/.test(path)) continue
    const text = readFileSync(path, 'utf8')
    const isOfWorker = path.startsWith(join(folder, 'server'))
    const renamedText = text.replace(isOfWorker ? inWorker : inFiles, (name) => names.get(name) ?? name)
    if (renamedText !== text) writeFileSync(path, renamedText)
  }
  for (const file of files)
    renameSync(join(folder, 'client', file), join(folder, 'client', reverseHash(file)))
  return { folder, list: { version: reversed(version), files: files.map(reverseHash) } }
}

const reversed = (text: string) => [...text].reverse().join('')

/**
 * Lists all files of the build with a hash in their name: the Worker keeps them beside the hubs, because
 * pages and open tabs still refer to them after the next deployment. Those of hub pages come first.
 */
function filesOfBuild(version: string): BuildList {
  const files = ['hub', 'assets'].flatMap((folder) =>
    readdirSync(join(root, 'build/client', folder))
      .sort()
      .map((name) => `${folder}/${name}`),
  )
  return { version, files }
}

/** Scripts and styles of hub pages: a build of their own, so that nothing of React can get in. */
async function buildHubAssets() {
  await viteBuild({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    base: '/',
    worker: { format: 'es', rolldownOptions: { output: { entryFileNames: 'hub/[name]-[hash].js' } } },
    build: {
      outDir: '.cache/hub-assets',
      emptyOutDir: true,
      chunkSizeWarningLimit: 1200,
      manifest: true,
      target: 'es2022',
      cssMinify: 'esbuild',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: ['app/islands/hub.ts', 'app/styles/hub.css'],
        output: {
          entryFileNames: 'hub/[name]-[hash].js',
          chunkFileNames: 'hub/[name]-[hash].js',
          assetFileNames: 'hub/[name]-[hash][extname]',
        },
      },
    },
  })
}

function* listFiles(path: string): Generator<string> {
  if (!existsSync(path)) return
  if (!statSync(path).isDirectory()) return yield path
  for (const name of readdirSync(path).sort()) {
    if (!/\.test(?:ing)?\.tsx?$|\.md$/.test(name)) yield* listFiles(join(path, name))
  }
}

/** Runs a program of a package in one process, without npx, which would outlive a kill. */
function run(args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'production' },
    })
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${args[0]} failed (${code})`))))
  })
}
