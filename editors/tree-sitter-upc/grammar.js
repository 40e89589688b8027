// SPDX-License-Identifier: BSD-3-Clause
// UPC 1.3 for tree-sitter: what it adds to C, whose grammar is tree-sitter-c's. Both read text before it
// is preprocessed, so THREADS and MYTHREAD, which directives use as names, are identifiers.
const C = require('tree-sitter-c/grammar')

// Precedences of tree-sitter-c.
const OFFSETOF = 8
const SIZEOF = 13
const UNARY = 14

const list = (item) => seq(item, repeat(seq(',', item)))

const sizeof = ($, word) =>
  prec(
    SIZEOF,
    seq(
      word,
      choice(field('value', $.expression), seq('(', field('type', $.type_descriptor), ')')),
    ),
  )

module.exports = grammar(C, {
  name: 'upc',

  rules: {
    type_qualifier: ($, original) =>
      choice(original, $.shared_qualifier, 'strict', 'relaxed', '_Complex', 'complex'),

    // `[` belongs to the qualifier, not to an array without a name: UPC 1.3 §6.5.1.1.
    shared_qualifier: ($) => prec.right(seq('shared', optional($.layout_qualifier))),

    layout_qualifier: ($) =>
      seq('[', field('block_size', optional(choice($.expression, '*'))), ']'),

    _non_case_statement: ($, original) =>
      choice(
        original,
        $.upc_forall_statement,
        $.upc_barrier_statement,
        $.upc_notify_statement,
        $.upc_wait_statement,
        $.upc_fence_statement,
      ),

    upc_forall_statement: ($) =>
      seq(
        'upc_forall',
        '(',
        $._for_statement_body,
        ';',
        field('affinity', optional(choice($.expression, $.comma_expression, 'continue'))),
        ')',
        field('body', $.statement),
      ),

    upc_barrier_statement: ($) => seq('upc_barrier', optional($._value), ';'),
    upc_notify_statement: ($) => seq('upc_notify', optional($._value), ';'),
    upc_wait_statement: ($) => seq('upc_wait', optional($._value), ';'),
    upc_fence_statement: (_) => seq('upc_fence', ';'),

    _value: ($) => field('value', choice($.expression, $.comma_expression)),

    _expression_not_binary: ($, original) =>
      choice(
        original,
        $.upc_localsizeof_expression,
        $.upc_blocksizeof_expression,
        $.upc_elemsizeof_expression,
        $.complex_part_expression,
      ),

    upc_localsizeof_expression: ($) => sizeof($, 'upc_localsizeof'),
    upc_blocksizeof_expression: ($) => sizeof($, 'upc_blocksizeof'),
    upc_elemsizeof_expression: ($) => sizeof($, 'upc_elemsizeof'),

    argument_list: ($) =>
      seq('(', optional(list(choice($.expression, $.compound_statement, $.type_argument))), ')'),

    // Some functions of Berkeley's library are macros that take types, as va_arg does. What may be
    // both, as in `f(x)`, is an expression.
    type_argument: ($) => prec.dynamic(-10, $.type_descriptor),

    // C that tree-sitter-c lacks, and programs have.

    storage_class_specifier: (_, original) => choice(original, '_Thread_local'),

    type_specifier: ($, original) =>
      choice(original, $.typeof_specifier, $.atomic_type_specifier),

    typeof_specifier: ($) =>
      seq(
        choice('typeof', '__typeof__', '__typeof', 'typeof_unqual'),
        '(',
        choice($.expression, $.type_descriptor),
        ')',
      ),

    // `_Atomic` before a parenthesis is no qualifier: C17 6.7.2.4p4.
    atomic_type_specifier: ($) => prec(1, seq('_Atomic', '(', $.type_descriptor, ')')),

    _declaration_declarator: ($, original) =>
      choice(original, alias($._attributed_variable, $.attributed_declarator)),

    _attributed_variable: ($) =>
      seq(
        choice($.identifier, $.array_declarator, $.pointer_declarator),
        repeat1($.attribute_specifier),
      ),

    // Bit-fields without a name.
    _field_declaration_declarator: ($) =>
      list(
        choice(
          seq(field('declarator', $._field_declarator), optional($.bitfield_clause)),
          $.bitfield_clause,
        ),
      ),

    complex_part_expression: ($) =>
      prec.left(UNARY, seq(choice('__real__', '__imag__'), field('argument', $.expression))),

    _assignment_left_expression: ($, original) => choice(original, $.complex_part_expression),

    offsetof_expression: ($, original) =>
      choice(
        original,
        prec(
          OFFSETOF,
          seq(
            'offsetof',
            '(',
            field('type', $.type_descriptor),
            ',',
            field('member', choice($.subscript_expression, $.field_expression)),
            ')',
          ),
        ),
      ),

    case_statement: ($, original) =>
      choice(
        original,
        prec.right(
          seq(
            'case',
            field('value', $.expression),
            '...',
            field('end', $.expression),
            ':',
            repeat(choice($._non_case_statement, $.declaration, $.type_definition)),
          ),
        ),
      ),
  },
})
