import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Made by the tools, and never in the repository; `.gitignore` names the same. */
const madeFolders = ['.git', 'node_modules', 'build', '.data', '.wrangler', '.cache', 'test-results']

/** Every file of a folder and below, by its path from the root, but for those in `madeFolders` of the root. */
export function* filesBelow(root: string, folder = ''): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) {
      if (!madeFolders.includes(path)) yield* filesBelow(root, path)
    } else if (entry.isFile()) yield path
  }
}
