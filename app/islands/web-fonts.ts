/** Applies the hub's web fonts once loaded; pages reached from this one start with them. With reduced data the system fonts stay. */
export async function applyWebFonts() {
  const { dataset } = document.documentElement
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  if ('faces' in dataset || connection?.saveData) return
  await Promise.all(
    ['Public Sans', 'Newsreader'].map((name) => document.fonts.load(`1em '${name} Variable'`)),
  )
  dataset['faces'] = ''
}
