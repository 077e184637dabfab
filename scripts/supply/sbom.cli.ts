import { readLockfile } from './lockfile.ts'
import { makeSbom } from './sbom.ts'

// Prints the bill of materials: npm run --silent sbom > sbom.json
const { lock, manifest } = readLockfile()
process.stdout.write(`${JSON.stringify(makeSbom(lock, manifest), null, 2)}\n`)
