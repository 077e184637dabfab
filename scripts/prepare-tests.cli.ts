import { prepareEmbedded } from '#db/embedded/open.ts'
import { packedGazetteer } from './gazetteer/gazetteer.ts'
import { groundBytes } from './ground/ground.ts'
import { regionFiles } from './tiles/region-files.ts'

/**
 * Makes what the lanes of a run share in `.cache`: the dump that every embedded database starts from, the regions of
 * countries, the base map and the names of places. Otherwise lanes that need one at the same time would each make their
 * own, which takes longer than most test files, and the demo would wait for it.
 */
await prepareEmbedded()
await regionFiles()
await groundBytes()
packedGazetteer()
