import { expect, test } from 'vitest'
import { findNamesInCss, findWordsInScript, readHubWords, readStyles } from './hub-css.ts'

test.each([
  ['an error in it', '.a{top:0}}'],
  ['a selector that is none', '.a..b{top:0}'],
  ['a comment', '.a{top:0}/* why */.b{top:0}'],
  ['a declaration behind a rule inside of a rule', '.a{.b{top:0}left:0}'],
])('rejects a sheet with %s instead of reading only parts of it', (_what, css) => {
  expect(() => readStyles(css, new Set())).toThrow()
})

test("reads the words of a script's texts, not those of types, comments and module names", () => {
  const script = `import { a } from './module-name.ts'
    // 'comment-word'
    type Side = 'type-word'
    const shown = \`\${isWide ? 'is-wide' : ''} of-template\`
    const later = () => import('./module-later.ts')
    root.querySelector('.looked-for, .found')`
  expect(findWordsInScript(script)).toEqual([
    ...['is-wide', 'is-wide', 'of-template', 'of-template'],
    ...['.looked-for', 'looked-for', '.found', 'found'],
  ])
})

test.each([
  ["box.className = isOpen ? 'open' : 'shut wide'", ['.open', '.shut', '.wide']],
  ["box.classList.toggle('live', isLive)", ['.live']],
  ['list.innerHTML = `<li class="hit first">${name}</li>`', ['.hit', '.first']],
  ["box.textContent = 'story'", []],
])('the classes that %s gives are %j', (script, classes) => {
  expect(findWordsInScript(script).filter((word) => word.startsWith('.'))).toEqual(classes)
})

test('reads classes, attributes and used properties of a style sheet, not words in values', () => {
  const css = '.map-popup[data-open] b{display:block;color:var(--ink)}'
  expect(findNamesInCss(css)).toEqual(['--ink', 'map-popup', '.map-popup', 'data-open'])
})

test('includes what the islands and the first script add', () => {
  const words = readHubWords()
  for (const name of [
    '.figure-live',
    'is-live',
    'dark-theme',
    'faces',
    'sidebar',
    'aria-pressed',
    'map-item',
  ])
    expect(words, name).toContain(name)
  expect(words).not.toContain('interpolate-size')
})
