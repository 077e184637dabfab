import { additions } from './additions.ts'
import { measureHouse } from './house.ts'
import { readModules } from './modules.ts'
import { findPlaces } from './places.ts'

/**
 * `npm run house`: prints the size of the product's code, and where it is hard to navigate. `--json` prints
 * JSON. `--places` prints instead which files adding one more block, format, language and the like touches;
 * words after it select additions by name.
 */
if (process.argv.includes('--places')) printPlaces()
else print()

function printPlaces() {
  const words = process.argv.slice(process.argv.indexOf('--places') + 1)
  const selection = additions.filter(({ what }) => !words.length || words.some((word) => what.includes(word)))
  if (!selection.length) {
    console.error(
      `No addition is called “${words.join(' ')}”. There are: ${additions.map(({ what }) => what).join(', ')}.`,
    )
    process.exitCode = 1
    return
  }
  for (const { what, readme, startFiles, demandedFiles } of findPlaces(selection)) {
    console.log(`${what}: ${startFiles.length + demandedFiles.length} files (${readme})`)
    for (const path of startFiles) console.log(`  begun     ${path}`)
    for (const { path, message } of demandedFiles)
      console.log(`  demanded  ${path}: ${message.slice(0, 100)}`)
  }
}

function print() {
  const house = measureHouse(readModules())
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify(house, null, 2))
    return
  }
  for (const { room, files, lines } of house.rooms)
    console.log(`${room.padEnd(26)} ${String(files).padStart(5)} files ${String(lines).padStart(7)} lines`)
  const casts = house.doubleCasts.reduce((all, { count }) => all + count, 0)
  const circled = house.circles.map(({ rooms }) => rooms.length)
  console.log(`
product lines                ${house.lines} (tests and scripts: ${house.others})
product files                ${house.files} (shorter than 40 lines: ${house.short})
loose files                  ${house.loose.length}
circles of rooms             ${circled.length}${circled.length ? ` (of ${circled.join(', ')} rooms)` : ''}
longest files                ${house.longestFiles.map(({ path, lines }) => `${path} ${lines}`).join(', ')}
functions above 80 lines     ${house.longFunctions.length}
double casts                 ${casts}
exports only used inside     ${house.narrowExports.itself} by their own module, ${house.narrowExports.tests} by tests
duplicates of 6 lines, more  ${house.duplicates.length}, ${house.duplicates.reduce((all, { lines }) => all + lines, 0)} lines
files on a way               ${house.flows.map(({ name, stops }) => `${name} ${stops}`).join(', ')}`)
  if (!process.argv.includes('--all')) return
  console.log('\nCircles')
  for (const { rooms, imports } of house.circles) {
    console.log(`  ${rooms.join(', ')}`)
    for (const { from, to, count } of imports) console.log(`    ${from} → ${to}: ${count}`)
  }
  console.log('\nLoose files')
  for (const path of house.loose) console.log(`  ${path}`)
  console.log('\nFunctions above 80 lines')
  for (const { path, name, line, lines } of house.longFunctions)
    console.log(`  ${path}:${line} ${name}: ${lines}`)
  console.log('\nDouble casts')
  for (const { path, count } of house.doubleCasts) console.log(`  ${path}: ${count}`)
  console.log('\nDuplicates')
  for (const { lines, first, second } of house.duplicates)
    console.log(`  ${lines} lines: ${first.path}:${first.line} and ${second.path}:${second.line}`)
}
