/**
 * Puts the page into the hub's own faces once they are here; pages that are reached from this one start in them. Who asks to save
 * data stays with those of the system.
 */
export async function wearFaces() {
  const { dataset } = document.documentElement
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  if ('faces' in dataset || connection?.saveData) return
  await Promise.all(
    ['Public Sans', 'Newsreader'].map((name) => document.fonts.load(`1em '${name} Variable'`)),
  )
  dataset['faces'] = ''
}
