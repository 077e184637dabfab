import type { AddProtocolAction, ErrorEvent, Map as LiveMap, Tile } from 'maplibre-gl'
import { PMTiles, Protocol } from 'pmtiles'
import { islandTexts } from './island-words.ts'
import { buildElement } from './build-element.ts'
import type { Report } from './search.ts'
import { retryDelays, TileFailures } from './tile-failures.ts'

const protocol = new Protocol({ metadata: true })

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Reads from a PMTiles archive, as MapLibre's protocol `pmtiles:`. A failed request is retried once with the archive opened anew: pmtiles
 * memoizes the promises of headers and directories, also the rejected ones, and would fail until the page is loaded again.
 */
export const readArchive: AddProtocolAction = async (request, abort) => {
  const read = () => protocol.tilev4(request, abort) as ReturnType<AddProtocolAction>
  try {
    return await read()
  } catch (error) {
    if (abort.signal.aborted) throw error
    reopenArchive(request.url)
    await wait(retryDelays[0])
    abort.signal.throwIfAborted()
    return read()
  }
}

/** `url`: of an archive or of one of its tiles. */
function reopenArchive(url: string) {
  const [, archive] = /^pmtiles:\/\/(.+?)(?:\/\d+\/\d+\/\d+)?$/.exec(url) ?? []
  if (archive) protocol.add(new PMTiles(archive))
}

/** An error of a single tile, as MapLibre's tile manager reports it. */
type TileError = ErrorEvent & { tile: Tile; sourceId: string }
const isTileError = (event: ErrorEvent): event is TileError => 'tile' in event

/**
 * Resolves when the map has loaded. Rejects if its style or a source fails: the map would stay empty. Single failed tiles are left to
 * `retryTiles`; MapLibre counts them as loaded.
 */
export function waitForLoad(map: LiveMap): Promise<void> {
  return new Promise((resolve, reject) => {
    map.once('load', () => resolve())
    map.on('error', (event) => {
      if (!isTileError(event)) reject(event.error)
    })
  })
}

/** Reports all errors but those of single tiles, which `retryTiles` reports. */
export function reportSourceErrors(map: LiveMap, report: Report): void {
  map.on('error', (event) => {
    if (!isTileError(event)) report(event.error)
  })
}

/**
 * Retries failed tiles of the view, which MapLibre leaves empty: twice, and again after each move. Where tiles still fail, a line below
 * the map says that it is incomplete, with a button for another attempt, and the error is reported once. The line stays until the tiles
 * are loaded or the view does not need them.
 */
export function retryTiles(map: LiveMap, box: HTMLElement, report: Report): void {
  const failures = new TileFailures<TileError>()
  const line = buildElement('p', { className: 'figure-failed' })
  line.setAttribute('role', 'status')

  const request = ({ sourceId, tile }: TileError) => {
    if (map.getSource(sourceId)) map.refreshTiles(sourceId, [tile.tileID.canonical])
  }
  const updateNotice = () => {
    failures.removeUnused()
    const { isIncomplete } = failures
    if (isIncomplete === line.hasChildNodes()) return
    if (!isIncomplete) return line.replaceChildren()
    const { mapIncomplete, tryAgain } = islandTexts()
    const again = buildElement('button', { type: 'button', className: 'button', textContent: tryAgain })
    again.addEventListener('click', requestAll)
    line.replaceChildren(`${mapIncomplete} `, again)
  }
  const requestAll = () => {
    updateNotice()
    for (const event of failures.restart()) request(event)
  }

  map.on('error', (event) => {
    if (!isTileError(event)) return
    const key = getTileKey(event.sourceId, event.tile)
    const delay = failures.add(key, event)
    const attempts = failures.countAttempts(key)
    if (delay === undefined) {
      report(event.error)
      updateNotice()
    } else void wait(delay).then(() => failures.countAttempts(key) === attempts && request(event))
  })
  map.on('sourcedata', ({ sourceId, tile }) => {
    if (tile) failures.remove(getTileKey(sourceId, tile))
  })
  map.on('moveend', requestAll)
  map.on('idle', updateNotice)
  map.once('load', () => box.parentElement?.insertAdjacentElement('afterend', line))
  map.once('remove', () => {
    // No request that is due may reach a removed map.
    failures.clear()
    line.remove()
  })
}

/** Tells tiles apart also where a view shows the world more than once. */
const getTileKey = (sourceId: string, { tileID }: Tile) => `${sourceId}/${tileID.key}`
