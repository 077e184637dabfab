import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, dirname, extname, posix } from 'node:path'
import type { Plugin } from 'vite'

const mark = 'worker-module:'
/**
 * The prefix of the virtual modules that Node loads instead; the path is encoded, because otherwise it would
 * be taken for a file of a package and left to Node.
 */
const virtual = '\0worker-module/'

/**
 * A plugin for imports that are not JavaScript but modules of the Worker: `import wasm from 'x.wasm?module'`
 * gives a WebAssembly.Module, any other file its bytes as an ArrayBuffer. workerd may not compile WebAssembly
 * from bytes, so the build leaves such an import unchanged and puts the file beside the chunks, where
 * workerd's own loader takes it (of the type that wrangler.toml says). Node, which runs tests and the
 * development server, reads the file.
 */
export function workerModules(): Plugin {
  let isBuild = false
  return {
    name: 'worker-modules',
    enforce: 'pre',
    configResolved: (config) => void (isBuild = config.command === 'build'),
    async resolveId(source, importer) {
      if (!source.endsWith('?module')) return
      const file = await this.resolve(source.slice(0, -'?module'.length), importer, { skipSelf: true })
      if (!file) return
      const path = file.id.replace(/\?.*$/, '')
      return isBuild
        ? { id: `${mark}${path}`, external: true }
        : `${virtual}${Buffer.from(path).toString('base64url')}.js`
    },
    load(id) {
      if (!id.startsWith(virtual)) return
      const path = Buffer.from(id.slice(virtual.length, -'.js'.length), 'base64url').toString()
      const bytes = `new Uint8Array(readFileSync(${JSON.stringify(path)})).buffer`
      const value = path.endsWith('.wasm') ? `new WebAssembly.Module(${bytes})` : bytes
      return `import { readFileSync } from 'node:fs'\nexport default ${value}`
    },
    renderChunk(code, chunk) {
      const paths = chunk.imports.filter((id) => id.startsWith(mark)).map((id) => id.slice(mark.length))
      if (paths.length === 0) return
      let rewritten = code
      for (const path of paths) {
        const source = readFileSync(path)
        const hash = createHash('sha256').update(source).digest('hex').slice(0, 8)
        const fileName = `modules/${basename(path, extname(path))}-${hash}${extname(path)}`
        this.emitFile({ type: 'asset', fileName, source })
        const address = posix.relative(dirname(chunk.fileName), fileName)
        rewritten = rewritten.replaceAll(`${mark}${path}`, address.startsWith('.') ? address : `./${address}`)
      }
      return { code: rewritten, map: null }
    },
  }
}
