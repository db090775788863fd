/**
 * Definitions in each grammar, as tree-sitter queries.
 *
 * `@name` is the name, and the capture named like a kind is the whole definition. `@body` marks the end of the
 * signature if the grammar has no such field. `@scope` names the container if that is not a symbol itself.
 * `@declaration` and `@member` are functions and methods that, like constants, count only outside functions.
 */
import type { ParsedLanguage } from "../languages.ts";

const JAVASCRIPT = `
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(class_declaration name: (_) @name) @class
(class_body (method_definition name: (_) @name) @method)
(object (method_definition name: (_) @name) @member)
(variable_declarator
  name: (identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @function
(variable_declarator name: (identifier) @name value: (class
  body: (_) @body)) @class
(assignment_expression
  left: (member_expression) @name
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @declaration
(pair key: (property_identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @member
(export_statement "default" @name value: (_)) @export
(export_specifier name: (_) @name !alias) @export
(export_specifier alias: (_) @name) @export
`;

const ECMASCRIPT_FIELDS = `
(field_definition property: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @method
`;

const TYPESCRIPT = `${JAVASCRIPT}
(public_field_definition
  name: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @method
(abstract_class_declaration name: (_) @name) @class
(abstract_method_signature name: (_) @name) @method
(method_signature name: (_) @name) @method
(function_signature name: (_) @name) @function
(interface_declaration name: (_) @name) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @enum
(internal_module name: (_) @name) @module
(module name: (_) @name) @module
`;

const CPP = `
(function_definition declarator: (function_declarator declarator: (_) @name)) @function
(function_definition declarator: (reference_declarator (function_declarator declarator: (_) @name))) @function
(function_definition declarator: (pointer_declarator (function_declarator declarator: (_) @name))) @function
(function_definition declarator: (pointer_declarator
  (pointer_declarator (function_declarator declarator: (_) @name)))) @function
(template_declaration (function_definition
  declarator: (function_declarator declarator: (_) @name) body: (_) @body)) @function
(declaration declarator: (function_declarator declarator: (_) @name)) @declaration
(declaration declarator: (pointer_declarator (function_declarator declarator: (identifier) @name))) @declaration
(field_declaration declarator: (function_declarator declarator: (_) @name)) @method
(field_declaration declarator: (pointer_declarator (function_declarator declarator: (_) @name))) @method
(field_declaration declarator: (reference_declarator (function_declarator declarator: (_) @name))) @method
(class_specifier name: (_) @name body: (_) @body) @class
(struct_specifier name: (_) @name body: (_) @body) @class
(union_specifier name: (_) @name body: (_) @body) @class
(template_declaration (class_specifier name: (_) @name body: (_) @body)) @class
(template_declaration (struct_specifier name: (_) @name body: (_) @body)) @class
(enum_specifier name: (_) @name body: (_) @body) @enum
(type_definition declarator: (type_identifier) @name) @type
(type_definition declarator: (function_declarator
  declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @type
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @type
(alias_declaration name: (_) @name) @type
(concept_definition name: (_) @name) @type
(namespace_definition name: (_) @name) @module
(preproc_def name: (_) @name value: (_)) @constant
(preproc_function_def name: (_) @name) @function
(declaration (type_qualifier) declarator: (init_declarator declarator: (identifier) @name)) @constant
(declaration (type_qualifier) declarator: (init_declarator
  declarator: (pointer_declarator declarator: (identifier) @name))) @constant
(declaration declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @constant
`;

const PYTHON = `
(class_definition name: (_) @name) @class
(function_definition name: (_) @name) @function
(decorated_definition definition: (class_definition name: (_) @name body: (_) @body)) @class
(decorated_definition definition: (function_definition name: (_) @name body: (_) @body)) @function
(type_alias_statement left: (_) @name) @type
`;

const JAVA = `
(class_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(annotation_type_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(field_declaration (modifiers) @modifiers
  declarator: (variable_declarator name: (_) @name) (#match? @modifiers "final")) @constant
`;

const CSHARP = `
(namespace_declaration name: (_) @name) @module
(class_declaration name: (_) @name) @class
(struct_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(delegate_declaration name: (_) @name) @type
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(local_function_statement name: (_) @name) @function
(property_declaration name: (_) @name accessors: (_) @body) @method
(property_declaration name: (_) @name) @method
(field_declaration (modifier) @modifier
  (variable_declaration (variable_declarator name: (_) @name))
  (#any-of? @modifier "const" "readonly")) @constant
`;

const GO = `
(function_declaration name: (_) @name) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @scope)) name: (_) @name) @method
(type_spec name: (_) @name type: (interface_type)) @interface
(type_spec name: (_) @name type: (struct_type)) @class
(type_spec name: (_) @name) @type
(type_alias name: (_) @name) @type
(method_elem name: (_) @name) @method
`;

const PHP = `
(namespace_definition name: (_) @name body: (_)) @module
(class_declaration name: (_) @name) @class
(trait_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(function_definition name: (_) @name) @function
(method_declaration name: (_) @name) @method
(const_declaration (const_element (name) @name)) @constant
`;

const RUST = `
(function_item name: (_) @name) @function
(function_signature_item name: (_) @name) @function
(struct_item name: (_) @name) @class
(union_item name: (_) @name) @class
(enum_item name: (_) @name) @enum
(trait_item name: (_) @name) @interface
(impl_item type: (_) @name) @scope
(type_item name: (_) @name) @type
(const_item name: (_) @name) @constant
(static_item name: (_) @name) @constant
(mod_item name: (_) @name body: (_)) @module
(macro_definition name: (_) @name) @function
`;

const RUBY = `
(module
  name: (_) @name) @module
(class
  name: (_) @name) @class
(method
  name: (_) @name) @function
(singleton_method
  name: (_) @name) @function
(assignment left: (constant) @name) @constant
`;

const BASH = `
(function_definition name: (_) @name) @function
`;

const POWERSHELL = `
(function_statement (function_name) @name (script_block) @body) @function
(class_statement . (simple_name) @name) @class
(class_method_definition (simple_name) @name) @method
(enum_statement . (simple_name) @name) @enum
`;

const CSS = `
(rule_set (selectors) @name (block) @body) @class
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @constant
(declaration (property_name) @name (#match? @name "^--")) @constant
`;

const INI = `
(section (section_name (text) @name)) @module
(setting (setting_name) @name) @constant
`;

/** Values count only near the top of a tree: deeper ones are local variables. */
interface NearTop {
  query: string;
  /** Maximum depth of the outermost node of a match; the root is 0. */
  depth: number;
}

const ECMASCRIPT_VALUES: NearTop = {
  depth: 2,
  query: `
(lexical_declaration (variable_declarator name: (identifier) @name) @constant)
(variable_declaration (variable_declarator name: (identifier) @name) @constant)
(expression_statement (assignment_expression left: (member_expression) @name) @export (#eq? @name "module.exports"))
`,
};

export const VALUES: Partial<Record<ParsedLanguage, NearTop>> = {
  bash: {
    depth: 2,
    query: `(variable_assignment name: (variable_name) @name (#match? @name "^[A-Z]")) @constant`,
  },
  go: {
    depth: 3,
    query: `
(const_spec name: (_) @name) @constant
(var_spec name: (_) @name) @constant
`,
  },
  javascript: ECMASCRIPT_VALUES,
  python: {
    depth: 3,
    query: `(expression_statement (assignment left: (identifier) @name) @constant (#match? @name "^_*[A-Z]"))`,
  },
  tsx: ECMASCRIPT_VALUES,
  typescript: ECMASCRIPT_VALUES,
};

export const QUERIES: Record<ParsedLanguage, string> = {
  bash: BASH,
  c: CPP,
  cpp: CPP,
  csharp: CSHARP,
  css: CSS,
  go: GO,
  ini: INI,
  java: JAVA,
  javascript: JAVASCRIPT + ECMASCRIPT_FIELDS,
  php: PHP,
  powershell: POWERSHELL,
  python: PYTHON,
  ruby: RUBY,
  rust: RUST,
  tsx: TYPESCRIPT,
  typescript: TYPESCRIPT,
};
