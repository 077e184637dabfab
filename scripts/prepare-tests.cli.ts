import { prepareEmbedded } from '#db/embedded/open.ts'
import { regionFiles } from './tiles/region-files.ts'

/**
 * Makes what the lanes of a run share and keep in `.cache`: the dump that every embedded database begins with, and the regions of countries.
 * Lanes that need one at the same time would each make their own, which takes more than most test files do.
 */
await prepareEmbedded()
await regionFiles()
