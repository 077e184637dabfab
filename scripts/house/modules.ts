import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { filesBelow } from '../files-below.ts'

/** A name that a module imports from another: `default`, `*` for everything, `''` for side effects only. */
interface ImportedName {
  /**
   * The path of the other module from the root of the project; the name of a package for external modules.
   */
  from: string
  name: string
  isPackage: boolean
  /** Imported only as a type: the module is not loaded because of it. */
  isType: boolean
}

interface ExportedName {
  name: string
  line: number
  /** Whether its own module uses it as well. */
  isUsedInside: boolean
}

interface FunctionSize {
  name: string
  line: number
  lines: number
}

/** What is read from the syntax tree of a file. */
export interface Module {
  path: string
  lines: number
  imports: ImportedName[]
  exports: ExportedName[]
  /** `export { a as b } from './c.ts'`: maps `b` to the origin of `a`. `*` for `export *`. */
  reexports: { name: string; from: string; original: string }[]
  functions: FunctionSize[]
  /** `value as unknown as Other`. */
  doubleCasts: number
  /** The lines of the double casts without a comment beside their statement. */
  bareCasts: number[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The folders with code, in reading order. */
const codeFolders = ['app', 'db', 'functions', 'scripts'] as const

/** Matches tests, and modules that only tests import. */
export const isTest = (path: string): boolean =>
  /\.(test|walk|testing|test-d)\.tsx?$|\/testing(\.ts|\/)|^db\/worlds\/|\/differential\/|\/hostile\/|^functions\/v1\/fuzz\//.test(
    path,
  )

/** Matches the product: code that runs in a Worker, in a browser or in the database. No scripts, no tests. */
export const isProduct = (path: string): boolean => !path.startsWith('scripts/') && !isTest(path)

/** Reads every module of the project, tests and scripts included, by its path from the root. */
export function readModules(): Map<string, Module> {
  const paths = [
    ...codeFolders.flatMap((folder) => [...filesBelow(root, folder)].filter(isCode)),
    ...configFiles(),
  ]
  return new Map(paths.map((path) => [path, parseModule(path, readFileSync(join(root, path), 'utf8'))]))
}

/** Reads the texts of modules by their paths. */
export const readTexts = (paths: readonly string[]): Map<string, string> =>
  new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))

/** Parses a module from its text. */
export function parseModule(path: string, text: string): Module {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const module: Module = {
    path,
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    imports: [],
    exports: [],
    reexports: [],
    functions: [],
    doubleCasts: 0,
    bareCasts: [],
  }
  const namespaces = new Map<string, ImportedName>()
  const uses = countNames(source)
  for (const statement of source.statements) readStatement(statement, module, namespaces, uses)
  walk(source, module, namespaces)
  return module
}

function readStatement(
  statement: ts.Statement,
  module: Module,
  namespaces: Map<string, ImportedName>,
  uses: Map<string, number>,
) {
  if (ts.isImportDeclaration(statement)) readImport(statement, module, namespaces)
  else if (ts.isExportDeclaration(statement)) readExport(statement, module)
  else if (ts.isExportAssignment(statement)) addExport(module, 'default', statement, uses)
  else if (isExported(statement)) {
    const isDefault = ts.canHaveModifiers(statement)
      ? ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
      : false
    if (isDefault) addExport(module, 'default', statement, uses)
    else for (const name of declaredNames(statement)) addExport(module, name, statement, uses)
  }
}

function readImport(node: ts.ImportDeclaration, module: Module, namespaces: Map<string, ImportedName>) {
  const from = resolveImport(module.path, node.moduleSpecifier)
  if (!from) return
  const clause = node.importClause
  if (!clause) {
    module.imports.push({ ...from, name: '', isType: false })
    return
  }
  const isType = clause.phaseModifier === ts.SyntaxKind.TypeKeyword
  if (clause.name) module.imports.push({ ...from, name: 'default', isType })
  const bindings = clause.namedBindings
  if (!bindings) return
  if (ts.isNamespaceImport(bindings)) {
    namespaces.set(bindings.name.text, { ...from, name: '', isType })
    module.imports.push({ ...from, name: '', isType })
    return
  }
  for (const element of bindings.elements) {
    const name = (element.propertyName ?? element.name).text
    module.imports.push({ ...from, name, isType: isType || element.isTypeOnly })
  }
}

function readExport(node: ts.ExportDeclaration, module: Module) {
  if (!node.moduleSpecifier) {
    // `export { a }` of something declared or imported in this file.
    if (node.exportClause && ts.isNamedExports(node.exportClause))
      for (const element of node.exportClause.elements)
        module.exports.push({ name: element.name.text, line: getLineNumber(element), isUsedInside: false })
    return
  }
  const from = resolveImport(module.path, node.moduleSpecifier)
  if (!from) return
  // An import for the rules between rooms, but no use of the name: importing it from here counts as use.
  module.imports.push({ ...from, name: '', isType: node.isTypeOnly })
  if (!node.exportClause) module.reexports.push({ name: '*', from: from.from, original: '*' })
  else if (ts.isNamespaceExport(node.exportClause))
    module.imports.push({ ...from, name: '*', isType: node.isTypeOnly })
  else
    for (const element of node.exportClause.elements) {
      const original = (element.propertyName ?? element.name).text
      module.reexports.push({ name: element.name.text, from: from.from, original })
      module.exports.push({ name: element.name.text, line: getLineNumber(element), isUsedInside: false })
    }
}

/**
 * Collects what is nested in statements: uses of namespaces, dynamic imports, sizes of functions, and casts.
 */
function walk(node: ts.Node, module: Module, namespaces: Map<string, ImportedName>) {
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const from = node.arguments[0] ? resolveImport(module.path, node.arguments[0]) : null
    if (from) module.imports.push({ ...from, name: '*', isType: false })
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    const from = resolveImport(module.path, node.argument.literal)
    const name = node.qualifier ? getLeftmostName(node.qualifier) : '*'
    if (from) module.imports.push({ ...from, name, isType: true })
  }
  if (ts.isIdentifier(node)) {
    const namespace = namespaces.get(node.text)
    if (namespace && !ts.isNamespaceImport(node.parent)) addUse(node, namespace, module)
  }
  if (ts.isAsExpression(node) && ts.isAsExpression(node.expression)) {
    module.doubleCasts += 1
    if (!hasReason(node)) module.bareCasts.push(getLineNumber(node))
  }
  if (ts.isFunctionLike(node) && 'body' in node && node.body) {
    const lines = lineAt(node.getSourceFile(), node.end) - getLineNumber(node) + 1
    module.functions.push({ name: functionName(node), line: getLineNumber(node), lines })
  }
  ts.forEachChild(node, (child) => walk(child, module, namespaces))
}

/** Whether there is a comment before or inside the enclosing statement, or member of an object or class. */
function hasReason(node: ts.Node): boolean {
  let outer = node
  while (!ts.isStatement(outer) && !ts.isClassElement(outer) && !ts.isObjectLiteralElement(outer))
    outer = outer.parent
  const text = outer.getSourceFile().text.slice(outer.getFullStart(), node.end)
  return /\/\/|\*\//.test(text)
}

function addUse(node: ts.Identifier, { from, isPackage, isType }: ImportedName, module: Module) {
  const { parent } = node
  const isNameOfProperty =
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isQualifiedName(parent) && parent.right === node)
  if (isNameOfProperty) return
  const name =
    ts.isPropertyAccessExpression(parent) && parent.expression === node
      ? parent.name.text
      : ts.isQualifiedName(parent) && parent.left === node
        ? parent.right.text
        : '*'
  module.imports.push({ from, isPackage, isType, name })
}

function addExport(module: Module, name: string, node: ts.Node, uses: Map<string, number>) {
  // The declaration itself counts as one, and so does each overload of a function.
  const count = module.exports.filter((each) => each.name === name).length + 1
  if (count > 1) return
  module.exports.push({ name, line: getLineNumber(node), isUsedInside: (uses.get(name) ?? 0) > 1 })
}

/** Counts how often each name occurs in a file as an identifier, declarations included. */
function countNames(source: ts.SourceFile): Map<string, number> {
  const counts = new Map<string, number>()
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node)) counts.set(node.text, (counts.get(node.text) ?? 0) + 1)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return counts
}

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false)
  )
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name))
  const name = (statement as ts.DeclarationStatement).name
  return name && ts.isIdentifier(name) ? [name.text] : []
}

const boundNames = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []))

function getLeftmostName(name: ts.EntityName): string {
  return ts.isIdentifier(name) ? name.text : getLeftmostName(name.left)
}

function functionName(node: ts.SignatureDeclaration): string {
  if (node.name && ts.isIdentifier(node.name)) return node.name.text
  const { parent } = node
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText()
  return '(without a name)'
}

const lineAt = (source: ts.SourceFile, position: number) =>
  source.getLineAndCharacterOfPosition(position).line + 1
const getLineNumber = (node: ts.Node) => lineAt(node.getSourceFile(), node.getStart())

/**
 * Resolves the module of an import: a path from the root for our modules, the name of a package for external
 * ones; null for anything else.
 */
function resolveImport(path: string, specifier: ts.Node): { from: string; isPackage: boolean } | null {
  if (!ts.isStringLiteralLike(specifier)) return null
  const bare = specifier.text.replace(/\?.*$/, '')
  if (bare.startsWith('#')) return { from: bare.slice(1), isPackage: false }
  if (!bare.startsWith('.')) return { from: bare, isPackage: true }
  return { from: relative(root, join(root, dirname(path), bare)), isPackage: false }
}

const isCode = (path: string) => /\.(tsx?|mjs)$/.test(path) && !path.endsWith('.d.ts')

const configFiles = () => readdirSync(root).filter((name) => /\.config\.ts$/.test(name))
