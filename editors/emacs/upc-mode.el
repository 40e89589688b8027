;;; upc-mode.el --- Unified Parallel C -*- lexical-binding: t -*-
;; SPDX-License-Identifier: BSD-3-Clause

;;; Commentary:
;; C mode with the words of UPC 1.3. With eglot (Emacs 29, or from ELPA), `M-x eglot' starts
;; `furlong lsp'.

;;; Code:

(require 'cc-mode)
(defvar eglot-server-programs)

(defconst upc-mode-words
  `((,(regexp-opt '("shared" "strict" "relaxed" "upc_forall" "upc_barrier" "upc_notify" "upc_wait"
                    "upc_fence" "upc_localsizeof" "upc_blocksizeof" "upc_elemsizeof")
                  'symbols)
     . font-lock-keyword-face)
    (,(regexp-opt '("THREADS" "MYTHREAD" "UPC_MAX_BLOCK_SIZE") 'symbols)
     . font-lock-constant-face)
    (,(regexp-opt '("upc_lock_t" "upc_flag_t" "upc_op_t" "upc_type_t" "upc_handle_t" "upc_file_t"
                    "upc_off_t" "upc_tick_t" "upc_atomicdomain_t")
                  'symbols)
     . font-lock-type-face)
    ("\\_<\\(?:upc\\|bupc\\|upcx\\)_[a-z_]+\\_>" . font-lock-builtin-face))
  "What UPC adds to C.")

;;;###autoload
(define-derived-mode upc-mode c-mode "UPC"
  "C mode for Unified Parallel C."
  (font-lock-add-keywords nil upc-mode-words))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.up[ch]\\'" . upc-mode))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(upc-mode . ("furlong" "lsp"))))

(provide 'upc-mode)
;;; upc-mode.el ends here
