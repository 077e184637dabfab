import { build } from './build.ts'

await build(console.log, { force: process.argv.includes('--force') })
