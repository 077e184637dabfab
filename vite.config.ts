import { existsSync, readFileSync } from 'node:fs'
import { vitePlugin as remix } from '@remix-run/dev'
import { createLogger, defineConfig, type Plugin } from 'vite'
import { sourcesHash } from './scripts/build.ts'
import { readHubWords, readLaterNames, readStyles } from './scripts/hub-css.ts'
import { workerDev } from './scripts/worker-dev.ts'
import { workerModules } from './scripts/worker-modules.ts'

/** Where the build puts the scripts and styles of hub pages first; Remix empties build/. */
const hubManifest = '.cache/hub-assets/.vite/manifest.json'

/**
 * `virtual:hub-assets`: the addresses of a hub page's styles, scripts and icon, hashed in a build. `virtual:hub-css`: the styles
 * themselves, read; a module of its own so that only the Worker has them.
 */
function hubAssets(): Plugin {
  const ids = ['virtual:hub-assets', 'virtual:hub-css']
  let isBuild = false
  return {
    name: 'hub-assets',
    configResolved: (config) => void (isBuild = config.command === 'build'),
    resolveId: (source) => (ids.includes(source) ? `\0${source}` : undefined),
    load(resolved) {
      const id = ids.find((each) => resolved === `\0${each}`)
      if (!id) return
      const isCss = id === 'virtual:hub-css'
      if (!isBuild) {
        if (isCss) return 'export const hubStyles = null, laterNames = null'
        const sources = { style: '/app/styles/hub.css', script: '/app/islands/hub.ts' }
        return `export const hubAssets = ${JSON.stringify(sources)}`
      }
      if (!existsSync(hubManifest)) throw new Error('Build the hub assets first: npm run build')
      const manifest = JSON.parse(readFileSync(hubManifest, 'utf8')) as Record<string, { file: string }>
      const address = (entry: string) => `/${manifest[entry]?.file}`
      if (isCss) {
        const css = readFileSync(`.cache/hub-assets${address('app/styles/hub.css')}`, 'utf8').trim()
        // The minifier leaves values of custom properties as they are; space before one means nothing.
        const packed = css.replace(/([{;]--[\w-]+): /g, '$1:')
        const styles = readStyles(packed, readHubWords())
        return `export const hubStyles = ${JSON.stringify(styles)}
export const laterNames = ${JSON.stringify(readLaterNames(styles))}`
      }
      const assets = {
        style: address('app/styles/hub.css'),
        script: address('app/islands/hub.ts'),
      }
      return `export const hubAssets = ${JSON.stringify(assets)}`
    },
  }
}

/** Remix fixes the server's input; a hook after it wins: one graph whose entry is the Worker, in chunks. */
function workerEntry(): Plugin {
  return {
    name: 'worker-entry',
    config: (_config, env) =>
      env.command === 'build' && env.isSsrBuild
        ? {
            build: {
              rolldownOptions: {
                input: './functions/worker.ts',
                output: {
                  codeSplitting: true,
                  entryFileNames: 'index.js',
                  chunkFileNames: 'chunks/[name]-[hash].js',
                },
              },
            },
          }
        : undefined,
  }
}

/**
 * The workspace is in English: of the 34 languages of react-aria's own words ("Show suggestions") only that one is sent, as
 * its makers' plugin for other bundlers does.
 */
function omitOtherLanguages(): Plugin {
  const language =
    /\/react-(?:aria|stately|aria-components)\/dist\/private\/intl\/(?:.*\/)?(?!en-US)[a-z]{2}-[A-Z]{2}\.mjs$/
  return {
    name: 'only-english',
    enforce: 'pre',
    load: (id) => (language.test(id) ? 'export default undefined' : undefined),
  }
}

/**
 * Vite's logger without two warnings: Remix 2 sets options by their older names, which still work. Its build says so three times
 * all the same, where it makes a logger of its own.
 */
function createQuietLogger(level: 'info' | 'warn') {
  const logger = createLogger(level)
  const { warn } = logger
  logger.warn = (message, options) => {
    if (!/`(?:esbuild|envFile)` option/.test(message)) warn(message, options)
  }
  return logger
}

export default defineConfig(({ command, isSsrBuild }) => ({
  // Names what the Worker keeps answers under: those of other code are not taken for its own.
  define: command === 'build' ? { __BUILD__: JSON.stringify(sourcesHash()) } : {},
  plugins: [
    workerDev('/functions/worker.ts'),
    remix({
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_throwAbortReason: true,
        v3_lazyRouteDiscovery: false,
        v3_singleFetch: true,
        v3_routeConfig: true,
      },
    }),
    hubAssets(),
    workerModules(),
    omitOtherLanguages(),
    workerEntry(),
  ],
  resolve: { mainFields: ['browser', 'module', 'main'] },
  worker: { format: 'es' },
  optimizeDeps: {
    exclude: ['maplibre-gl', '@remix-run/cloudflare', 'kysely', '@neondatabase/serverless'],
    // What browsers load, made in one go: found one screen after the other, each would have the page loaded anew.
    include: [
      ...['react', 'react/jsx-dev-runtime', 'react-dom/client', '@remix-run/react', 'react-aria-components'],
      ...[
        'lucide-react',
        'react-toastify/unstyled',
        'react-grid-layout',
        '@tiptap/react',
        '@tiptap/starter-kit',
      ],
      ...['valibot', 'pmtiles'],
      ...['arabic', 'english', 'french', 'german', 'spanish'].map(
        (language) => `@orama/stemmers/${language}`,
      ),
      ...[
        '@mapbox/vector-tile',
        'd3-geo',
        'fflate',
        'polylabel',
        'topojson-client',
        'topojson-server',
        'topojson-simplify',
      ],
      // Of what only servers use nothing is left out while developing.
      ...['sanitize-html', 'oauth4webapi', 'aws4fetch', 'croner', 'image-size', 'pbf', 're2js'],
    ],
  },
  ssr: {
    target: 'webworker',
    ...(isSsrBuild ? { noExternal: true as const } : {}),
    resolve: { conditions: ['workerd', 'worker', 'browser'], externalConditions: ['workerd', 'worker'] },
  },
  customLogger: createQuietLogger(command === 'build' ? 'warn' : 'info'),
  build: {
    target: 'es2022',
    cssMinify: 'esbuild',
    ...(isSsrBuild
      ? {
          minify: true,
          rolldownOptions: {
            external: [/^node:/, /^cloudflare:/],
            // On the server a dynamic import may also stand for one that would be a circle.
            checks: { ineffectiveDynamicImport: false },
          },
        }
      : {
          chunkSizeWarningLimit: 1200,
          // What thirty or more routes share is one file. Left alone, a screen loads 45 files on average, half of them under
          // 1.4 kB; so it loads 22, of the same size together.
          rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 30 }] } } },
        }),
  },
  server: { host: '127.0.0.1', port: Number(process.env.PORT ?? 8787), strictPort: true, allowedHosts: true },
}))
