import { ab, type FaultyCase } from './case.testing.ts'

/** Tables with a #: comments, headers that begin with it, and rows that do. */
export const hashCases: FaultyCase[] = [
  {
    is: 'blank lines and comments between rows',
    parser: 'csv',
    source: '# made by hand\n\na,b\n1,2\n\n#3,4\n5,6\n\n',
    good: ab(['1', '2'], ['5', '6']),
    notice: /Line 1 begins with #/,
  },
  {
    is: 'a header that begins with #',
    parser: 'csv',
    source: '#id,name\n1,oak\n#2,elm\n3\n',
    good: [
      { '#id': '1', name: 'oak' },
      { '#id': '#2', name: 'elm' },
    ],
    faults: [{ row: 3, field: 'name', line: 4 }],
    notice: /Line 1 begins with # and has 2 cells, as the rows behind it have: it is the header/,
  },
  {
    is: 'a header that begins with # and a blank, as programs write it above numbers',
    parser: 'csv',
    source: '# x, y\n1.5,2\n3,4\n',
    good: [
      { '# x': '1.5', y: '2' },
      { '# x': '3', y: '4' },
    ],
    notice: /it is the header/,
  },
  {
    is: 'a header that begins with # behind comments, with quotes and semicolons',
    parser: 'csv',
    source: '## version 4\n# a, b and c\n#id;"a;b"\n1;2\n# left out\n3;4\n',
    good: [
      { '#id': '1', 'a;b': '2' },
      { '#id': '3', 'a;b': '4' },
    ],
    notice: /Line 3 begins with # and has 2 cells/,
  },
  {
    is: 'a header that begins with # where texts alone follow, and rows that do',
    parser: 'csv',
    source: 'sep=,\n#colour,name\n#ff0000,red\n#00ff00,green\n',
    good: [
      { '#colour': '#ff0000', name: 'red' },
      { '#colour': '#00ff00', name: 'green' },
    ],
    notice: /Line 2 begins with # and has 2 cells.*header/,
  },
  {
    is: 'a comment with as many cells as the rows, above a header of words and rows of numbers',
    parser: 'csv',
    source: '#made by hand, in Rome\nname,count\noak,2\nelm,3\n',
    good: [
      { name: 'oak', count: '2' },
      { name: 'elm', count: '3' },
    ],
    notice: /Line 1 .* left out as a comment, for line 2 reads as the header/,
  },
  {
    is: 'a comment with as many cells as the rows, above words alone',
    parser: 'csv',
    source: '# trees, by Ann\nname,town\noak,Rome\nelm,Oslo\n',
    good: [
      { name: 'oak', town: 'Rome' },
      { name: 'elm', town: 'Oslo' },
    ],
    notice: /left out as a comment, for blanks/,
  },
  {
    is: 'a row that was taken out by # above the header',
    parser: 'csv',
    source: '#1,2\na,b\n3,4\n',
    good: ab(['3', '4']),
    notice: /Line 1 begins with # and is left out/,
  },
  {
    is: 'comments alone, of several cells',
    parser: 'csv',
    source: '# one, two\n# three, four\n',
    good: [],
    refusal: /no header/,
  },
  {
    is: 'rows that begin with # where no comment stands before the header',
    parser: 'csv',
    source: 'a,b\n#1,2\n"#3",4\n# five,"six\nseven"\n',
    good: ab(['#1', '2'], ['#3', '4'], ['# five', 'six\nseven']),
  },
]
