import { dirname, join } from 'node:path'
import ts from 'typescript'

/**
 * A member of a row type without a column in the statement. Read from a row it would be undefined, which the
 * compiler cannot detect.
 */
interface MissingColumn {
  path: string
  line: number
  member: string
  /** The names of the statement's columns. */
  columns: string[]
}

/** The type of the rows of a statement, with the statement. */
interface TypedStatement {
  type: ts.TypeNode
  statement: ts.TemplateLiteral | ts.StringLiteral
}

/** Replaces a part of a statement's text that is only known at run time. */
const unknownPart = '\u0001'
const endOfColumns =
  /^(?:from|where|group|order|limit|union|having|window|offset|for|except|intersect|returning)$/

/**
 * Finds the members of the row types of ``sql<Row>`…` ``, ``run<Row>(sql`…`)`` and `query<Row>('…')` that no
 * column of the statement is named after, by path and line. Renaming a member of the type does not change the
 * text of a statement, and the compiler trusts the type. `texts` are modules by their paths from the root of
 * the project; types are followed into other modules. Ignored are optional members, computed types, and
 * statements whose text does not list the columns (`select *`, `select ${columns}`).
 */
export function findMissingColumns(texts: ReadonlyMap<string, string>): MissingColumn[] {
  const sources = new Map<string, ts.SourceFile>()
  const readSource = (path: string) => {
    const text = texts.get(path)
    if (text === undefined) return null
    const source = sources.get(path) ?? ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
    sources.set(path, source)
    return source
  }
  return [...texts]
    .filter(([, text]) => /sql<|\(\s*sql`|uery</.test(text))
    .flatMap(([path]) => {
      const source = readSource(path)
      return source ? findInSource(source, readSource) : []
    })
    .sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line)
}

type ReadSource = (path: string) => ts.SourceFile | null

function findInSource(source: ts.SourceFile, readSource: ReadSource): MissingColumn[] {
  const missing: MissingColumn[] = []
  const visit = (node: ts.Node) => {
    const typedStatement = readTypedStatement(node)
    const columns = typedStatement && readNames(readText(typedStatement.statement, source))
    if (columns)
      for (const member of readMembers(typedStatement.type, readSource)) {
        if (columns.some((column) => column === member || toCamelCase(column) === member)) continue
        const { line } = source.getLineAndCharacterOfPosition(node.getStart())
        missing.push({ path: source.fileName, line: line + 1, member, columns })
      }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return missing
}

/**
 * Reads the row type and the statement of a tagged template, or of a call whose first or last argument is
 * one.
 */
function readTypedStatement(node: ts.Node): TypedStatement | null {
  if (!ts.isTaggedTemplateExpression(node) && !ts.isCallExpression(node)) return null
  const type = node.typeArguments?.[0]
  if (!type) return null
  if (ts.isTaggedTemplateExpression(node))
    return node.tag.getText() === 'sql' ? { type, statement: node.template } : null
  for (const argument of node.arguments) {
    if (
      ts.isTaggedTemplateExpression(argument) &&
      argument.tag.getText() === 'sql' &&
      !argument.typeArguments
    )
      return { type, statement: argument.template }
    if (/query$/i.test(node.expression.getText()) && (ts.isStringLiteral(argument) || isTemplate(argument)))
      return { type, statement: argument }
  }
  return null
}

const isTemplate = (node: ts.Node): node is ts.TemplateLiteral =>
  ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)

/**
 * Reads the text of a statement, including fragments inside of it or in constants of its file; `unknownPart`
 * stands for the rest.
 */
function readText(statement: TypedStatement['statement'], source: ts.SourceFile, depth = 0): string {
  if (!ts.isTemplateExpression(statement)) return statement.text
  const parts = statement.templateSpans.map(({ expression, literal }) => {
    const fragment = depth < 5 ? readFragment(expression, source) : null
    return (fragment ? readText(fragment, source, depth + 1) : unknownPart) + literal.text
  })
  return statement.head.text + parts.join('')
}

function readFragment(expression: ts.Expression, source: ts.SourceFile): ts.TemplateLiteral | null {
  if (ts.isTaggedTemplateExpression(expression) && expression.tag.getText() === 'sql')
    return expression.template
  if (!ts.isIdentifier(expression)) return null
  const declaration = source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find(({ name }) => name.getText() === expression.text)
  const value = declaration?.initializer
  return value && ts.isTaggedTemplateExpression(value) ? value.template : null
}

/**
 * Reads the names of a statement's columns, or the keys of an expression that builds JSON; null when the text
 * does not list them.
 */
function readNames(text: string): string[] | null {
  if (/^\s*(?:select|with|insert|update|delete|merge)\b/i.test(text) || !text.includes('build_object('))
    return readColumns(text)
  return [...text.matchAll(/'(\w+)'/g)].map(([, key = '']) => key)
}

/** Reads the names of a statement's columns; null when its text does not list them. */
function readColumns(text: string): string[] | null {
  const items = readColumnItems(text)
  if (!items) return null
  const names = items.map(nameOfColumn)
  return names.every((name) => name !== null) ? names : null
}

/**
 * Reads the expressions between `select` and `from`, or after `returning`, outside of all brackets, whose
 * contents are removed. Null without such a list.
 */
function readColumnItems(text: string): string[] | null {
  const tokens = text
    .replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .match(/'(?:[^']|'')*'|"[^"]*"|\$\d+|[\w.]+|::|\S/g)
  if (!tokens) return null
  let depth = 0
  const outer = tokens.filter((token) => {
    const isClosing = /^[)\]]$/.test(token)
    if (isClosing) depth -= 1
    const isOutside = depth === 0
    if (/^[([]$/.test(token)) depth += 1
    return isOutside
  })
  const words = outer.map((token) => token.toLowerCase())
  const returning = words.lastIndexOf('returning')
  const start = returning >= 0 ? returning : words.indexOf('select')
  if (start < 0) return null
  const end = words.findIndex(
    (word, i) =>
      i > start &&
      endOfColumns.test(word) &&
      !/^(?:distinct from|within group)$/.test(`${words[i - 1]} ${word}`),
  )
  const list = outer.slice(start + 1, end < 0 ? undefined : end)
  return list
    .join(' ')
    .replace(/^distinct( on \( \))?|^all\b/i, '')
    .split(' , ')
}

/**
 * Returns the name that Postgres gives a column: its alias, or that of the column or function; null when the
 * text does not contain it.
 */
function nameOfColumn(item: string): string | null {
  const bare = item
    .trim()
    .replace(/(?: :: (?:double precision|[\w."]+)(?: \( \))?(?: \[ \])*)+$/, '')
    .replace(/( \( \))+( within group \( \))?( filter \( \))?( over \( \))?$/i, '')
  const [last = ''] = bare.split(' ').slice(-1)
  if (/^"[^"]*"$/.test(last)) return last.slice(1, -1)
  if (/^[\w.]*\w$/.test(last)) return (last.split('.').at(-1) ?? '').toLowerCase()
  return last.endsWith('*') || last.includes(unknownPart) || last.endsWith('.') ? null : '?column?'
}

const toCamelCase = (name: string) => name.replace(/_+(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Reads the required members of a row type; none for computed types. */
function readMembers(type: ts.TypeNode, readSource: ReadSource): string[] {
  if (ts.isTypeLiteralNode(type)) return listMemberNames(type.members)
  if (ts.isIntersectionTypeNode(type)) return type.types.flatMap((each) => readMembers(each, readSource))
  if (ts.isParenthesizedTypeNode(type)) return readMembers(type.type, readSource)
  if (ts.isArrayTypeNode(type)) return readMembers(type.elementType, readSource)
  if (ts.isUnionTypeNode(type)) {
    const [only, ...others] = type.types.filter((each) => each.getText() !== 'null')
    return only && others.length === 0 ? readMembers(only, readSource) : []
  }
  if (!ts.isTypeReferenceNode(type) || !ts.isIdentifier(type.typeName)) return []
  const [of, keys] = type.typeArguments ?? []
  if (type.typeName.text === 'Omit' && of && keys) {
    const omittedNames = readLiterals(keys)
    return omittedNames ? readMembers(of, readSource).filter((name) => !omittedNames.includes(name)) : []
  }
  if (type.typeName.text === 'Pick' && keys) return readLiterals(keys) ?? []
  return readDeclared(type.typeName.text, type.getSourceFile(), readSource)
}

/** Reads the members of an interface or type that a module declares or imports. */
function readDeclared(name: string, source: ts.SourceFile, readSource: ReadSource): string[] {
  for (const statement of source.statements) {
    if (ts.isInterfaceDeclaration(statement) && statement.name.text === name) {
      const inherited = (statement.heritageClauses ?? []).flatMap(({ types }) =>
        types.flatMap(({ expression, typeArguments }) =>
          ts.isIdentifier(expression) && !typeArguments
            ? readDeclared(expression.text, source, readSource)
            : [],
        ),
      )
      return [...inherited, ...listMemberNames(statement.members)]
    }
    if (ts.isTypeAliasDeclaration(statement) && statement.name.text === name)
      return readMembers(statement.type, readSource)
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue
    const bindings = statement.importClause?.namedBindings
    if (!bindings || !ts.isNamedImports(bindings)) continue
    const element = bindings.elements.find((each) => each.name.text === name)
    if (!element) continue
    const from = statement.moduleSpecifier.text
    const other = readSource(from.startsWith('#') ? from.slice(1) : join(dirname(source.fileName), from))
    return other ? readDeclared((element.propertyName ?? element.name).text, other, readSource) : []
  }
  return []
}

const listMemberNames = (members: readonly ts.TypeElement[]): string[] =>
  members.flatMap((member) =>
    ts.isPropertySignature(member) &&
    !member.questionToken &&
    (ts.isIdentifier(member.name) || ts.isStringLiteral(member.name))
      ? [member.name.text]
      : [],
  )

/** Reads the literals of a union of string literals; null for anything else. */
function readLiterals(type: ts.TypeNode): string[] | null {
  const types = ts.isUnionTypeNode(type) ? type.types : [type]
  const texts = types.map((each) =>
    ts.isLiteralTypeNode(each) && ts.isStringLiteral(each.literal) ? each.literal.text : null,
  )
  return texts.every((text) => text !== null) ? texts : null
}
