// Validates Kubernetes manifests as the API server does: strict decoding, defaults, validation.
package main

import (
	"bytes"
	"fmt"
	"os"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/batch"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	batchvalidation "k8s.io/kubernetes/pkg/apis/batch/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
)

func main() {
	decoder := serializer.NewCodecFactory(legacyscheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	wrong := false
	for _, name := range os.Args[1:] {
		content, err := os.ReadFile(name)
		if err != nil {
			fmt.Println(err)
			os.Exit(3)
		}
		for index, document := range bytes.Split(content, []byte("\n---\n")) {
			kind, err := validate(decoder, document)
			result := "valid"
			if err != nil {
				wrong = true
				result = err.Error()
			}
			fmt.Printf("%s, document %d, %s: %s\n", name, index+1, kind, result)
		}
	}
	if wrong {
		os.Exit(1)
	}
}

func validate(decoder runtime.Decoder, document []byte) (string, error) {
	object, kind, err := decoder.Decode(document, nil, nil)
	if err != nil {
		return "unknown", err
	}
	legacyscheme.Scheme.Default(object)
	var errors field.ErrorList
	switch object := object.(type) {
	case *batchv1.Job:
		object.Namespace = "default"
		var job batch.Job
		if err := legacyscheme.Scheme.Convert(object, &job, nil); err != nil {
			return kind.Kind, err
		}
		// The server adds a selector with the object's UID before it validates.
		generated := map[string]string{"batch.kubernetes.io/controller-uid": "0"}
		job.Spec.Selector = &metav1.LabelSelector{MatchLabels: generated}
		job.Spec.Template.Labels = generated
		options := corevalidation.PodValidationOptions{}
		errors = batchvalidation.ValidateJobSpec(&job.Spec, field.NewPath("spec"), options)
	case *corev1.PersistentVolumeClaim:
		object.Namespace = "default"
		var claim core.PersistentVolumeClaim
		if err := legacyscheme.Scheme.Convert(object, &claim, nil); err != nil {
			return kind.Kind, err
		}
		errors = corevalidation.ValidatePersistentVolumeClaim(&claim, corevalidation.PersistentVolumeClaimSpecValidationOptions{})
	default:
		return kind.Kind, fmt.Errorf("no validation for this kind")
	}
	return kind.Kind, errors.ToAggregate()
}
